/** The address to which a worker's clone pushes: none, unless the project lets its agents push (`repo.agent_push`). */
import { type Git, git } from '../git/git.ts';
import { reading, writing } from '../git/revisions.ts';
import { retryLocked } from '../git/retry-locked.ts';
import { NO_PUSH } from '../worktrees/settings.ts';
import { isRemoteUrl, safeRemoteUrl } from './remote.ts';

/** Bytes of a clone's settings that are read. */
const CONFIG_BYTES_MAX = 256 * 1024;

/**
 * Sets it in a clone, each time that its place is looked at: the project may say otherwise since. The file is named, because an agent could
 * have said in its clone that the settings are another repository's. `context` sees the source.
 *
 * @throws {GitError}
 */
export async function setPushAddress(
  context: Git,
  { at, source, mayPush }: { readonly at: string; readonly source: string; readonly mayPush: boolean },
): Promise<void> {
  const wanted = mayPush ? await pushAddressOf(context, source) : NO_PUSH;
  const file = `${at}/.git/config`;
  const text = (await context.files.readFile(file, { maxBytes: CONFIG_BYTES_MAX })) ?? '';
  const said = text.split('\n').flatMap(pushAddressIn);
  if (said.length === 1 && said[0] === wanted) return;
  const args = ['config', '--file', file, '--replace-all', 'remote.origin.pushurl', wanted];
  await retryLocked(() => git(context, args, writing('/', 'set where it pushes to')), { codes: ['locked', 'failed'] });
}

/** The value that one line of settings gives it. */
function pushAddressIn(line: string): readonly string[] {
  const [name = '', ...value] = line.trim().split('=');
  return name.trim().toLowerCase() === 'pushurl' ? [value.join('=').trim().replaceAll('"', '')] : [];
}

/** Finds the address to which git in the source pushes; the source itself where it has no remote, or one that agents must not see. */
async function pushAddressOf(context: Git, source: string): Promise<string> {
  if (isRemoteUrl(source)) return safeRemoteUrl(source);
  const call = { ...reading(source, 'read where it pushes to'), allow: [1, 2, 128] };
  const { status, stdout } = await git(context, ['remote', 'get-url', '--push', 'origin'], call);
  const [address = ''] = stdout.split('\n');
  if (status !== 0 || address === '' || (!isRemoteUrl(address) && !address.startsWith('/'))) return source;
  try {
    return safeRemoteUrl(address);
  } catch {
    return source;
  }
}

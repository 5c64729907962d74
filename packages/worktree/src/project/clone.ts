/** How does a project come to its clone, and the clone to the newest default branch? */
import { DEADLINES_MS, type Git, git, gitText } from '../git/git.ts';
import { safeDirectory, safeRevision } from '../names.ts';
import { commitOf, gitPaths, reading, writing } from '../git/revisions.ts';
import { retryLocked } from '../git/retry-locked.ts';
import { isRemoteUrl, outside, safeRemoteUrl } from './remote.ts';
import { carryIdentity } from './identity.ts';

/** What {@link cloneProject} did. `occupied`: something else is at the target and was left alone. */
export type CloneOutcome =
  | { readonly kind: 'cloned'; readonly root: string; readonly head: string }
  | { readonly kind: 'exists'; readonly root: string; readonly head: string }
  | { readonly kind: 'occupied'; readonly target: string; readonly message: string };

/** The setting in a clone that says which source it was made from. */
const SOURCE_SETTING = 'drover.source';

/**
 * Makes the project's clone: of a source on the same machine with hard links to its objects, or with copies where it lies on
 * another file system ("--local" would insist on links); of an address whole. The clone is made under a second name and renamed when
 * complete, so a crash never leaves half of one at the target.
 *
 * @throws {GitError}
 */
export async function cloneProject(
  context: Git,
  { source, target, defaultBranch }: { source: string; target: string; defaultBranch: string },
): Promise<CloneOutcome> {
  const isRemote = isRemoteUrl(source);
  if (!isRemote) safeDirectory(source);
  const existing = await context.files.stat(safeDirectory(target));
  if (existing !== undefined && !(await isEmptyDirectory(context, target))) return known(context, { source, target });
  const partial = `${target}.partial`;
  await context.files.rm(partial);
  await context.files.mkdir(target.slice(0, target.lastIndexOf('/')) || '/');
  const options = ['--no-tags', '--quiet', '--branch', safeRevision(defaultBranch)];
  const call = { ...outside(`clone "${source}" to "${target}"`), timeoutMs: DEADLINES_MS.clone };
  await git(context, ['clone', ...options, '--', isRemote ? safeRemoteUrl(source) : source, partial], call);
  await configure(context, { at: partial, source });
  try {
    await context.files.rm(target);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EBUSY')) throw error;
    await context.files.rm(partial);
    const message = `"${target}" is a mount point, or in use: choose a directory below it`;
    return { kind: 'occupied', target, message };
  }
  await context.files.rename(partial, target);
  const head = await gitText(context, ['rev-parse', 'HEAD'], reading(target, 'read HEAD'));
  return { kind: 'cloned', root: target, head };
}

async function isEmptyDirectory(context: Git, path: string): Promise<boolean> {
  const facts = await context.files.stat(path);
  return facts?.kind === 'directory' && (await context.files.list(path)).length === 0;
}

async function known(context: Git, { source, target }: { source: string; target: string }): Promise<CloneOutcome> {
  const isRepository = (await context.files.stat(`${target}/.git`)) !== undefined;
  const { stdout } = isRepository
    ? await git(context, ['config', '--local', '--get', SOURCE_SETTING], { ...reading(target, 'read it'), allow: [1] })
    : { stdout: '' };
  const head = isRepository ? await commitOf(context, target, 'HEAD') : undefined;
  if (stdout.trimEnd() !== source || head === undefined) {
    const message = `"${target}" exists and is not a clone of "${source}" made by Drover: choose another target or move it away`;
    return { kind: 'occupied', target, message };
  }
  return { kind: 'exists', root: target, head };
}

/** Settings of the clone and of every worktree made from it. */
async function configure(context: Git, { at, source }: { at: string; source: string }): Promise<void> {
  const set = async (name: string, value: string): Promise<void> => {
    await git(context, ['config', '--local', name, value], writing(at, `set ${name}`));
  };
  // An agent that rebases by itself resolves the same conflict once. Drover's own rebases take no recorded answer (docs/adr/0087-conflicts-judged-by-git.md).
  await set('rerere.enabled', 'true');
  await set('rerere.autoUpdate', 'true');
  // Git makes this at the first commit and dies when two worktrees' first commits make it at once.
  const [answers = ''] = await gitPaths(context, at, ['rr-cache']);
  await context.files.mkdir(answers);
  // Objects of trash and checkpoints must never be collected while a git of ours still writes.
  await set('gc.auto', '0');
  await carryIdentity(context, { at, source });
  await excludeWorktrees(context, at);
  await set(SOURCE_SETTING, source);
}

/** Keeps `.worktrees/` out of the clone's own status. */
async function excludeWorktrees(context: Git, at: string): Promise<void> {
  const [path = ''] = await gitPaths(context, at, ['info/exclude']);
  const text = (await context.files.readFile(path, { maxBytes: 1_000_000 })) ?? '';
  if (text.split('\n').includes('/.worktrees/')) return;
  await context.files.mkdir(path.slice(0, path.lastIndexOf('/')));
  await context.files.writeFile(path, `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}/.worktrees/\n`);
}

/** The ref in a clone (or worktree) that holds the source's default branch as last fetched. */
export function baseRef(defaultBranch: string): string {
  return `refs/remotes/origin/${safeRevision(defaultBranch)}`;
}

/**
 * Fetches the default branch from the source into the clone. Touches no branch and no worktree.
 *
 * @returns the newest commit of the default branch
 * @throws {GitError} `unknown-revision` when the source has lost the branch; `not-a-repository` when it is gone.
 */
export async function fetchDefaultBranch(context: Git, at: string, defaultBranch: string): Promise<string> {
  await context.refreshOrigin?.();
  const refspec = `+refs/heads/${safeRevision(defaultBranch)}:${baseRef(defaultBranch)}`;
  // Else a program that the clone names would run.
  const options = ['--upload-pack=git-upload-pack', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];
  const args = ['fetch', '--quiet', ...options, 'origin', refspec];
  const action = `fetch "${defaultBranch}" from the source`;
  const call = { at, action, timeoutMs: DEADLINES_MS.checkout };
  // A fetch walks the HEADs of all worktrees and dies in other words, too, while one of them is being made.
  await retryLocked(() => git(context, args, call), { codes: ['locked', 'failed'] });
  return gitText(context, ['rev-parse', '--verify', baseRef(defaultBranch)], reading(at, action));
}

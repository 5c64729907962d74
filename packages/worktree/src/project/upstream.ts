/** Tells whether a source's default branch lags the branch that it follows: workers would start from a commit that others have left behind. */
import { type Git, gitText } from '../git/git.ts';
import { reading } from '../git/revisions.ts';
import { safeRevision } from '../names.ts';

/** The branch that a local branch follows, as the source fetched it last. */
export interface Upstream {
  /** Name such as `origin/main`. */
  readonly name: string;
  /** Commits of the upstream that the local branch lacks, and of the local branch that the upstream lacks. */
  readonly behind: number;
  readonly ahead: number;
}

/** @returns undefined where the branch follows none, or that one is gone. Asks no other machine. @throws {GitError} */
export async function readUpstream(
  context: Git,
  { source, branch }: { readonly source: string; readonly branch: string },
): Promise<Upstream | undefined> {
  const format = '--format=%(upstream:short)%00%(upstream:track,nobracket)';
  const args = ['for-each-ref', format, '--', `refs/heads/${safeRevision(branch)}`];
  const line = await gitText(context, args, reading(source, `compare "${branch}" with its upstream`));
  const [name = '', track = ''] = line.split('\0');
  if (name === '' || track === 'gone') return undefined;
  return { name, behind: counted(track, 'behind'), ahead: counted(track, 'ahead') };
}

const COUNTED = { ahead: /ahead (\d+)/u, behind: /behind (\d+)/u };

function counted(track: string, what: 'ahead' | 'behind'): number {
  return Number(COUNTED[what].exec(track)?.[1] ?? 0);
}

/**
 * The sentence for people, or undefined where the branch has all that its upstream has. `follows`: Drover brings it up to date itself, where it
 * can.
 */
export function upstreamWarning(
  branch: string,
  upstream: Upstream | undefined,
  { follows = false }: { readonly follows?: boolean } = {},
): string | undefined {
  if (upstream === undefined || upstream.behind === 0) return undefined;
  const { name, behind, ahead } = upstream;
  const commits = behind === 1 ? '1 commit' : `${behind} commits`;
  const also = ahead === 0 ? '' : `, and has ${ahead} that "${name}" lacks`;
  const lag = `"${branch}" is ${commits} behind "${name}"${also}`;
  if (!follows) return `${lag}: workers start from "${branch}"`;
  return ahead === 0
    ? `${lag}: Drover brings it up to date before the next task (repo.follow)`
    : `${lag}, so it cannot follow (repo.follow): merge or rebase it, or push it`;
}

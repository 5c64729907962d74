/** Finds the git operation under way in a worktree and its starting state, and leaves it without touching a file. */
import { DEADLINES_MS, type Git, git } from '../git/git.ts';
import { gitPaths } from '../git/revisions.ts';

/** Operations that git can be in the middle of. */
export const OPERATIONS = ['rebase', 'am', 'cherry-pick', 'revert', 'merge'] as const;

/** An operation that has begun and not ended. */
export interface Operation {
  readonly kind: (typeof OPERATIONS)[number];
  /** The commit that the branch had before it; undefined: HEAD itself. */
  readonly before: string | undefined;
}

/** Files that show that an operation is under way, and those that hold its first commit. The outermost first. */
const SIGNS = [
  { kind: 'rebase', sign: 'rebase-merge', before: 'rebase-merge/orig-head' },
  { kind: 'am', sign: 'rebase-apply/applying', before: 'rebase-apply/abort-safety' },
  { kind: 'rebase', sign: 'rebase-apply', before: 'rebase-apply/orig-head' },
  { kind: 'cherry-pick', sign: 'CHERRY_PICK_HEAD', before: 'sequencer/head' },
  { kind: 'revert', sign: 'REVERT_HEAD', before: 'sequencer/head' },
  { kind: 'merge', sign: 'MERGE_HEAD', before: 'sequencer/head' },
] as const satisfies readonly { kind: Operation['kind']; sign: string; before: string }[];

/** The outermost operation in progress, or undefined. @throws {GitError} */
export async function operationInProgress(context: Git, at: string): Promise<Operation | undefined> {
  const names = SIGNS.flatMap(({ sign, before }) => [sign, before]);
  const paths = await gitPaths(context, at, names);
  for (const [index, { kind }] of SIGNS.entries()) {
    const [sign = '', before = ''] = paths.slice(2 * index, 2 * index + 2);
    if ((await context.files.stat(sign)) === undefined) continue;
    const commit = (await context.files.readFile(before, { maxBytes: 4096 }))?.trim();
    return { kind, before: commit === '' ? undefined : commit };
  }
  return undefined;
}

/** Makes git forget every operation in progress. HEAD, index and files stay as they are. @throws {GitError} */
export async function quitOperations(context: Git, at: string): Promise<void> {
  for (let count = 0; count < OPERATIONS.length; count += 1) {
    const operation = await operationInProgress(context, at);
    if (operation === undefined) return;
    const action = `leave the ${operation.kind} that is under way`;
    await git(context, [operation.kind, '--quit'], { at, action, timeoutMs: DEADLINES_MS.write });
  }
}

/** Are the conflicts of a rebase resolved? Judged by git, never by an agent's words. */
import { hasMarkers } from './conflict-regions.ts';
import type { Git } from '../git/git.ts';
import { type RebaseProgress, existingCommit, rebaseProgress } from '../worktrees/facts.ts';
import { aheadBehind, isAncestor } from '../git/revisions.ts';
import { readStatus } from '../git/status.ts';

/** What was standing when the worker was asked to resolve. */
export interface ResolutionRequest {
  readonly worktree: string;
  readonly branch: string;
  /** The commit the branch is to end on top of, and the one it had before. */
  readonly onto: string;
  readonly originalHead: string;
  /** Every path that had conflicts since the rebase began. */
  readonly paths: readonly string[];
}

/** How far it is. Only `resolved` may go on to validation. */
export type ResolutionState =
  | { readonly kind: 'in-progress'; readonly progress: RebaseProgress; readonly unmerged: readonly string[] }
  | { readonly kind: 'markers-left'; readonly paths: readonly string[] }
  /** `changed` counts files that are not committed. */
  | { readonly kind: 'resolved'; readonly head: string; readonly ahead: number; readonly changed: number }
  /** The branch is back at its old place. */
  | { readonly kind: 'aborted'; readonly head: string }
  /** On top of the new base, but none of the work is left: commits were skipped. */
  | { readonly kind: 'emptied'; readonly head: string }
  /** No rebase stands, yet the branch is neither back nor on top: a person should look. */
  | { readonly kind: 'elsewhere'; readonly head: string; readonly branch: string | undefined };

/** Bytes of a file searched for markers. */
const FILE_BYTES_MAX = 8 * 1024 * 1024;

/** Reads the state without changing anything. @throws {GitError} */
export async function resolutionState(context: Git, request: ResolutionRequest): Promise<ResolutionState> {
  const { worktree: at, onto, originalHead } = request;
  const status = await readStatus(context, at);
  const progress = await rebaseProgress(context, at, status);
  if (progress) return { kind: 'in-progress', progress, unmerged: status.unmerged.map((entry) => entry.path) };
  const head = await existingCommit(context, at, 'HEAD');
  if (status.branch !== request.branch || status.unmerged.length > 0) {
    return { kind: 'elsewhere', head, branch: status.branch };
  }
  if (!(await isAncestor(context, at, { ancestor: onto, descendant: head }))) {
    return head === originalHead ? { kind: 'aborted', head } : { kind: 'elsewhere', head, branch: status.branch };
  }
  const marked = await withMarkers(context, request);
  if (marked.length > 0) return { kind: 'markers-left', paths: marked };
  const { ahead } = await aheadBehind(context, at, { base: onto });
  return ahead === 0 ? { kind: 'emptied', head } : { kind: 'resolved', head, ahead, changed: status.changes.length };
}

async function withMarkers(context: Git, { worktree, paths }: ResolutionRequest): Promise<string[]> {
  const marked: string[] = [];
  for (const path of paths) {
    const isFile = (await context.files.stat(`${worktree}/${path}`))?.kind === 'file';
    const text = isFile ? await context.files.readFile(`${worktree}/${path}`, { maxBytes: FILE_BYTES_MAX }) : undefined;
    if (text !== undefined && !text.includes('\0') && hasMarkers(text)) marked.push(path);
  }
  return marked;
}

/** What stands in a simulated worktree, and what an agent can do there. */
import type { Verdict } from '@drover/core';

/** What an agent can do with git. Resolving without conflicts is a commit like any other. */
export type Working =
  | 'commit'
  | 'leave-dirty'
  | 'resolve'
  | 'abort'
  | 'skip'
  | 'commit-markers'
  | 'leave-branch'
  /** Commits a repository of its own by its name alone. */
  | 'nest'
  /** Commits on a branch of its own. */
  | 'stray'
  /** Stashes its work, and commits what it stashed before. */
  | 'stash'
  /** Leaves what could not be signed. */
  | 'leave-unsigned';

/** What git says of the wrong ways to end a rebase. */
export const BOTCHED: Readonly<Partial<Record<Working, Verdict>>> = {
  skip: 'emptied',
  'commit-markers': 'markers',
  'leave-branch': 'elsewhere',
};

/** What stands in a worktree. */
export interface SimWorktree {
  head: string;
  /** Work that is not committed. */
  dirty: string[];
  /** Work in the stash: each worker has its own. */
  readonly stash: string[];
  /** HEAD is on a branch of the agent's own. */
  isAstray?: boolean;
  /** Commits here are to be signed. */
  signs?: boolean;
  /** A rebase that waits for its conflicts to be resolved. `botched`: it was ended in a wrong way, from which the agent can come back. */
  rebase: {
    readonly onto: string;
    readonly works: readonly string[];
    unmerged: number;
    botched: Verdict | null;
  } | null;
}

/** Takes what was stashed out, but for what is there already because a checkpoint brought it back, and stashes what is not committed. */
export function swapStash(
  tree: SimWorktree,
  { work, there }: { readonly work: string; readonly there: readonly string[] },
): readonly string[] {
  const known = new Set([...there, ...tree.dirty]);
  const popped = tree.stash.splice(0).filter((one) => !known.has(one));
  tree.stash.push(...tree.dirty.splice(0), work);
  tree.isAstray = false;
  return popped;
}

/** What a checkpoint holds. */
export interface SimSave {
  readonly head: string;
  readonly dirty: readonly string[];
}

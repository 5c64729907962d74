/** Contents of a simulated worktree, and actions of an agent there. */
import type { Verdict } from '@drover/core';

/** Actions of an agent with git. Resolving without conflicts is a commit like any other. */
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

/** Verdicts of git on the wrong ways to end a rebase. */
export const BOTCHED: Readonly<Partial<Record<Working, Verdict>>> = {
  skip: 'emptied',
  'commit-markers': 'markers',
  'leave-branch': 'elsewhere',
};

export interface SimWorktree {
  head: string;
  /** Work that is not committed. */
  dirty: string[];
  /** Work in the stash: each worker has its own. */
  readonly stash: string[];
  /** True while HEAD is on a branch of the agent's own. */
  isAstray?: boolean;
  /** True where commits must be signed. */
  signs?: boolean;
  /** Rebase that waits for its conflicts to be resolved. `botched`: it ended in a wrong way, from which the agent can come back. */
  rebase: {
    readonly onto: string;
    readonly works: readonly string[];
    unmerged: number;
    botched: Verdict | null;
  } | null;
}

/** Pops the stash, except for works that a checkpoint has brought back, and stashes what is not committed. */
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

/** Contents of a checkpoint. */
export interface SimSave {
  readonly head: string;
  readonly dirty: readonly string[];
}

/** Commands that rebase work on a newer default branch in its worktree, and that judge its conflicts. */
import type { Pin, Verdict } from './arguments.ts';
import type { Changed } from './ends.ts';

/** Commands of a rebase, with their arguments and possible ends. */
export interface RebaseCommands {
  /**
   * Make one commit of the work, in its worktree, and put it on the newest default branch. `at`: only if the branch is at that commit. `began`:
   * the commit on which the work began, if known: commits that a rewritten default branch dropped are left behind.
   */
  readonly rebase: {
    readonly args: { readonly at: Pin | null; readonly began: string | null };
    readonly result:
      | {
          readonly kind: 'rebased';
          readonly base: string;
          /** HEAD before the rebase. */
          readonly from: string;
          readonly head: string;
          readonly moved: boolean;
        }
      /**
       * Conflict. `orig`: the commit that is put on `onto`; the branch comes back to it when the rebase is given up. `beyond`: the commit that the
       * work leaves behind, because the default branch has dropped it.
       */
      | {
          readonly kind: 'conflict';
          readonly files: readonly string[];
          readonly prompt: string;
          readonly onto: string;
          readonly orig: string;
          readonly beyond?: string | undefined;
        }
      | Changed;
  };
  /**
   * Judge by git how the conflicts of `orig` with `onto` were ended. Reads only. Empty: not known, then the newest default branch and the branch
   * itself. `beyond`: only commits after this one are the work.
   */
  readonly resolution: {
    readonly args: { readonly onto: string; readonly orig: string; readonly beyond?: string | undefined };
    readonly result: {
      readonly kind: 'judged';
      readonly verdict: Verdict;
      /** The commit that was judged; empty: there is none. */
      readonly head: string;
      /** The act of the agent, for people: completes "its agent …". */
      readonly why: string;
      /** Text for the agent: the fault, and the way to get on from there; empty if there is nothing to tell. */
      readonly prompt: string;
      /** Sentences for the reviewer, one for each note. */
      readonly notes: readonly string[];
    };
  };
}

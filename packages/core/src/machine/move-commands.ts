/** Defines the commands to a machine about a worker that moves away, or comes. */

/** The commands of a move, with what they name and how they can end. */
export interface MoveCommands {
  /**
   * End what is left of the session, save the worktree as `id` and freeze the place for the move: no agent is started there until it is
   * let in. `mustSave` is false where nothing but the end of the session matters.
   */
  readonly freeze: {
    readonly args: { readonly move: string; readonly id: string; readonly mustSave: boolean };
    readonly result: {
      readonly kind: 'frozen';
      /** The commit of the checkpoint; null: nothing was saved. */
      readonly commit: string | null;
    };
  };
  /** The place is the worker's again: agents may be started there. */
  readonly 'let-in': {
    readonly args: { readonly move: string };
    readonly result: { readonly kind: 'let-in' };
  };
}

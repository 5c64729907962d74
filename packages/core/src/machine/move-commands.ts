/** Defines the commands to a machine about a worker that moves away, or comes. */

/** Commands of a move, with their arguments and possible ends. */
export interface MoveCommands {
  /**
   * End the session's remains, save the worktree as `id` and freeze the place for the move: no agent starts there until it is let in. `mustSave`
   * is false if only the end of the session matters.
   */
  readonly freeze: {
    readonly args: { readonly move: string; readonly id: string; readonly mustSave: boolean };
    readonly result: {
      readonly kind: 'frozen';
      /** The commit of the checkpoint; null: nothing was saved. */
      readonly commit: string | null;
    };
  };
  /** Give the place back to the worker: agents may start there. */
  readonly 'let-in': {
    readonly args: { readonly move: string };
    readonly result: { readonly kind: 'let-in' };
  };
}

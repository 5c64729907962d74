/** Acts in the midst of an agent's turn: answers to the agent's questions, and the end of the turn. */
import type { AnswerChoice } from './arguments.ts';
import type { PaneGone } from './ends.ts';
import type { Incarnation } from './reading.ts';

/** Commands of a turn, with their arguments and possible ends. */
export interface TurnCommands {
  /** Answer the dialog on the screen with this fingerprint, and no other. */
  readonly answer: {
    readonly args: {
      readonly incarnation: Incarnation;
      readonly fingerprint: string;
      readonly choice: AnswerChoice;
    };
    readonly result:
      | { readonly kind: 'answered'; readonly label: string }
      | { readonly kind: 'stale'; readonly why: string }
      | PaneGone;
  };
  /**
   * Have the agent stop its work, by the keys that its profile names. An agent at rest is left alone, so the command is safe to repeat.
   * `standsMs`: milliseconds for which the screen must show that the agent is at rest.
   */
  readonly interrupt: {
    readonly args: { readonly incarnation: Incarnation; readonly standsMs: number };
    readonly result:
      /** Screen that shows no turn under way. `pressed`: number of keys that it took. */
      | { readonly kind: 'at-rest'; readonly pressed: number }
      /** Agent that goes on despite all keys, or shows nothing that Drover can read. */
      | { readonly kind: 'not-interrupted'; readonly why: string }
      | PaneGone;
  };
}

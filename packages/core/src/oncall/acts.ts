/** Defines the acts about a question at a moment. */
import type { DefaultAnswer } from './policy.ts';

/** Call of people. */
export interface OncallCall {
  readonly kind: 'call';
  readonly why: 'asked' | 'step' | 'reminder' | 'alarm';
  /** Targets as `drover.toml` names them. */
  readonly notify: readonly string[];
  /**
   * End of the wait of a call that was held back, epoch milliseconds. All calls that one quiet night or one silence held back share this moment,
   * so that a place reports them together.
   */
  readonly gatherUntil?: number;
}

export type OncallAct =
  | OncallCall
  /** Reopens the question: no answer came after the reminder. */
  | { readonly kind: 'reopen' }
  | { readonly kind: 'answer'; readonly answer: Exclude<DefaultAnswer, 'wait'> };

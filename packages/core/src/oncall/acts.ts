/** What is to be done about a question at a moment. */
import type { DefaultAnswer } from './policy.ts';

/** People are called. */
export interface OncallCall {
  readonly kind: 'call';
  readonly why: 'asked' | 'step' | 'reminder' | 'alarm';
  /** Targets as `drover.toml` names them. */
  readonly notify: readonly string[];
  /**
   * Of a call that was held back: it waits until then, epoch milliseconds. It is the same moment for everything that one quiet night or one
   * silence held back, so that a place tells it together.
   */
  readonly gatherUntil?: number;
}

/** One thing to do. */
export type OncallAct =
  | OncallCall
  /** No answer came after the reminder: it is open again. */
  | { readonly kind: 'reopen' }
  | { readonly kind: 'answer'; readonly answer: Exclude<DefaultAnswer, 'wait'> };

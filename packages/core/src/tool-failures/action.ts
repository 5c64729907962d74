/** Names the actions after a failed tool. */

import type { SourceLocation } from './facts.ts';
import type { QueuePriority } from '../policy/tool-failures.ts';

/** Work for the queue. */
export interface QueueItem {
  readonly priority: QueuePriority;
  readonly title: string;
  readonly details: string;
  readonly location: SourceLocation | null;
}

/** Action after a failed tool. */
export type FailureAction =
  /** Result: nothing is wrong with the tool. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'retry';
      /** Number of the retry, from 1, and the most retries allowed. */
      readonly attempt: number;
      readonly attemptsMax: number;
      readonly delayMs: number;
      /** Earliest time of the retry: `now` plus the delay. */
      readonly notBefore: number;
      /** Factor of the time limit of the operation; 1 leaves it. */
      readonly timeoutFactor: number;
    }
  | { readonly kind: 'queue'; readonly item: QueueItem }
  /** Tell a person now. The operation waits; other work may go on. */
  | {
      readonly kind: 'escalate';
      readonly title: string;
      readonly needed: string;
      readonly remediation: readonly string[];
    }
  /** Block the operation for now: a person is notified, other work goes on. */
  | { readonly kind: 'block'; readonly alert: string }
  | { readonly kind: 'log' };

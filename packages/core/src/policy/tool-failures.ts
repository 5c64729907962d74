/** Holds the rule for each class of tool failure: the table of docs/recovery.md, as data. */

import type { FailureClass } from '../tool-failures/failure.ts';
import type { Backoff } from './retry.ts';

/** Urgency of a filed item: S0 stops other work, S3 is for a quiet day. */
export type QueuePriority = 'S0' | 'S1' | 'S2' | 'S3';

/** The row of one class. */
export interface ClassPolicy {
  /** Number of times that the agent is told to retry. 0: never. */
  readonly retriesMax: number;
  readonly backoff: Backoff;
  /** Factors of the agent's time limit at each retry; empty: it stays. */
  readonly timeoutFactors: readonly number[];
  /** Rule for a failure with no retries, or none left. */
  readonly whenSpent: 'queue' | 'escalate' | 'block' | 'log';
  /** Priority of a filed item. */
  readonly priority: QueuePriority;
  /** Number of the retry from which all use of the service's account is paused; 0: never. */
  readonly pauseAccountFrom: number;
  /** Milliseconds beyond which a service's own wait is not sat out within a turn: retries count as spent. */
  readonly statedWaitMsMax: number;
  /** Number of equal failures within a task that notifies a person; 0: not counted. */
  readonly sameToEscalate: number;
}

/** The policy of all classes. */
export type ToolFailurePolicy = Readonly<Record<FailureClass, ClassPolicy>>;

const JITTER = { factor: 2, jitter: 0.2 } as const;
const NO_WAIT: Backoff = { ...JITTER, firstDelayMs: 0, capMs: 0 };

const NONE = {
  retriesMax: 0,
  backoff: NO_WAIT,
  timeoutFactors: [],
  priority: 'S1',
  pauseAccountFrom: 0,
  statedWaitMsMax: 3_600_000,
  sameToEscalate: 0,
} as const;

/**
 * Default policy. Source: docs/recovery.md, tool failures. The wait for a resource is ours: 10 s, then 20 s, as processes end and files go; so
 * is the hour beyond which a stated wait is not sat out: an agent that sleeps longer holds a worker for nothing.
 */
export const DEFAULT_TOOL_FAILURE_POLICY: ToolFailurePolicy = {
  network: { ...NONE, retriesMax: 3, backoff: { ...JITTER, firstDelayMs: 2_000, capMs: 60_000 }, whenSpent: 'queue' },
  rate_limit: {
    ...NONE,
    retriesMax: 3,
    backoff: { ...JITTER, firstDelayMs: 60_000, capMs: 300_000 },
    whenSpent: 'block',
    pauseAccountFrom: 2,
  },
  timeout: { ...NONE, retriesMax: 2, timeoutFactors: [1.5, 2], whenSpent: 'queue' },
  syntax: { ...NONE, whenSpent: 'queue', priority: 'S0' },
  permission: { ...NONE, whenSpent: 'escalate' },
  resource: {
    ...NONE,
    retriesMax: 2,
    backoff: { ...JITTER, firstDelayMs: 10_000, capMs: 60_000 },
    whenSpent: 'escalate',
  },
  validation: { ...NONE, whenSpent: 'queue' },
  external: { ...NONE, retriesMax: 2, backoff: { ...JITTER, firstDelayMs: 2_000, capMs: 60_000 }, whenSpent: 'block' },
  unknown: { ...NONE, whenSpent: 'log', sameToEscalate: 3 },
};

/** Defines the numbers of runs. */
import type { Backoff } from './retry.ts';

export interface RunPolicy {
  /** Share of a budget at which the workers are told. */
  readonly nearShare: number;
  /** Time for the turn in which an agent reports what it has, once a budget is spent. */
  readonly handBackMs: number;
  /** Attempts of an item that cost no try, such as those on a machine that was lost, before a person is asked. */
  readonly freeTriesMax: number;
  /** Items that fail alike before the rest is held and a person is asked. */
  readonly alikeMax: number;
  /** Placement that no worker can ever take. */
  readonly routing: Backoff & { readonly triesMax: number };
  /** Placement while every worker that fits is at work. */
  readonly busy: Backoff;
  /** Interval after a limit in which starts double: 1, 2, 4. */
  readonly rampMs: number;
  /** Wait for an account whose limit does not say when it ends. */
  readonly limitWaitMs: number;
  /** Time after which work on a machine that is away is given to another worker, if the commits of the run are on another machine. */
  readonly awayMs: number;
  /** Interval between two reminders of a paused run. */
  readonly remindMs: number;
  /** Time for which the commits of a run that has ended are kept for another try; merged ones are let go at once. */
  readonly keepMs: number;
}

export const DEFAULT_RUN_POLICY: RunPolicy = {
  nearShare: 0.8,
  handBackMs: 3 * 60_000,
  freeTriesMax: 5,
  alikeMax: 3,
  routing: { firstDelayMs: 500, capMs: 30_000, factor: 2, jitter: 0.2, triesMax: 5 },
  busy: { firstDelayMs: 2_000, capMs: 30_000, factor: 2, jitter: 0.2 },
  rampMs: 60_000,
  limitWaitMs: 15 * 60_000,
  // As long as the parcels of a move may take.
  awayMs: 3_600_000,
  remindMs: 24 * 3_600_000,
  keepMs: 30 * 24 * 3_600_000,
};

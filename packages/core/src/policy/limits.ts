/** Sets the patience with an account whose workers are at a limit. */
import type { Backoff } from './retry.ts';

/** The numbers of limits that the workers of one account share. */
export interface LimitPolicy {
  /** Waits when the program does not state the reset of the limit: 5 min, doubling to 1 h. */
  readonly unknownReset: Backoff;
  /** Milliseconds that chance adds after a stated reset, so that not every account asks in the same second. */
  readonly spreadMs: number;
  /** Milliseconds between the workers that go on again after a good probe, so that they do not hit the limit together. */
  readonly staggerMs: number;
  /** Milliseconds that a probe may take before another worker is asked. */
  readonly probeTimeoutMs: number;
}

/** Source of the waits: docs/recovery-reference.md, limits. Spread and stagger are our choice: a minute, two seconds. */
export const DEFAULT_LIMIT_POLICY: LimitPolicy = {
  unknownReset: { firstDelayMs: 300_000, capMs: 3_600_000, factor: 2, jitter: 0.2 },
  spreadMs: 60_000,
  staggerMs: 2_000,
  probeTimeoutMs: 120_000,
};

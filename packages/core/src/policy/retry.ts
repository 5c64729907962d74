/** Names the retry configurations: the delays and the number of Drover's retries. */

/** Delays between retries. Times in milliseconds. */
export interface Backoff {
  readonly firstDelayMs: number;
  /** No delay grows beyond this, jitter aside. */
  readonly capMs: number;
  readonly factor: number;
  /** Share of a delay that chance may add, 0 to 1. Jitter only ever adds: nothing comes sooner than the backoff says. */
  readonly jitter: number;
}

/** Delays and number of retries for a kind of operation. */
export interface RetryConfig extends Backoff {
  readonly retriesMax: number;
}

const DOUBLING = { factor: 2, jitter: 0.2 } as const;
const STEADY = { factor: 1, jitter: 0 } as const;

/** Makes a configuration with the same pause before each retry. */
export function steady(retriesMax: number, delayMs: number): RetryConfig {
  return { ...STEADY, retriesMax, firstDelayMs: delayMs, capMs: delayMs };
}

/** Makes a configuration without a pause of its own before a retry. */
export function atOnce(retriesMax: number): RetryConfig {
  return steady(retriesMax, 0);
}

/**
 * Retries by operation, from which the policy takes its defaults. Source: docs/recovery-reference.md, numbers. Numbers that differ from the
 * first requirements were measured or decided since.
 */
export const RETRY_CONFIGS = {
  /** Level 1 of a failure whose code has no configuration of its own. */
  levelOne: { ...DOUBLING, retriesMax: 3, firstDelayMs: 5_000, capMs: 20_000 },
  /** An agent that crashed, or showed no prompt. */
  agentSpawn: { ...DOUBLING, retriesMax: 2, firstDelayMs: 2_000, capMs: 30_000 },
  /** A text that the screen does not invite: a person may be typing, or a menu is open. */
  messageSend: steady(30, 2_000),
  /** A limit without a stated reset. */
  rateLimited: { ...DOUBLING, retriesMax: 24, firstDelayMs: 300_000, capMs: 3_600_000 },
  /** A command that its machine could not carry out. */
  command: steady(2, 2_000),
} as const satisfies Record<string, RetryConfig>;

/**
 * Returns the delay before a retry: min(first × factor^(n−1), cap), plus up to `jitter` of it.
 *
 * @param attempt Number of the retry, from 1. Anything below counts as 1.
 * @param random A number in [0, 1).
 * @returns Whole milliseconds, never below the backoff and never above the cap with all its jitter.
 */
export function backoffDelay(config: Backoff, attempt: number, random: number): number {
  const n = Math.max(1, Math.floor(attempt));
  const delayMs = Math.min(config.firstDelayMs * config.factor ** (n - 1), config.capMs);
  return Math.ceil(delayMs) + Math.floor(delayMs * config.jitter * clampUnit(random));
}

/** Clamps a caller's random to [0, 1], because a value outside would break the bounds above. */
function clampUnit(random: number): number {
  return Number.isFinite(random) ? Math.min(Math.max(random, 0), 1) : 0;
}

/** Tells what is left of an account, as the programs that use it say. */
import { duration } from '../taxonomy/wording.ts';

/** Limit of an account over a span of time. */
export interface QuotaWindow {
  /** Name for people, such as `5 h` or `spending`. */
  readonly name: string;
  /** 0 to 100. */
  readonly usedPercent: number;
  /** Epoch milliseconds; null: not told. */
  readonly resetsAt: number | null;
}

/** Limits of an account as they were at a time, in epoch milliseconds. */
export interface Quota {
  readonly at: number;
  readonly windows: readonly QuotaWindow[];
}

/** Percent of the tightest limit below which another account is taken first. */
const SPENT_BELOW = 5;

/** Milliseconds for which a program may repeat what it heard before: an answer of the model may be that old. */
const REPEATED_MS = 30 * 60_000;
/** Difference of two resets that are the same: some services reckon them anew with each answer. */
const SAME_RESET_MS = 10 * 60_000;

/**
 * Joins what two programs tell of one account. Each repeats what its own last answer said, however old that is, and within one span use only grows: so
 * of one span the higher use counts, unless it is old, and of two spans the later one.
 */
export function joinQuotas(known: Quota | null, told: Quota): Quota {
  if (known === null) return told;
  const [older, newer] = known.at <= told.at ? [known, told] : [told, known];
  const isRepeated = newer.at - older.at <= REPEATED_MS;
  const windows = newer.windows.map((window) => {
    const before = older.windows.find(({ name }) => name === window.name);
    return before !== undefined && isRepeated && isAhead(before, window) ? before : window;
  });
  return { at: newer.at, windows };
}

/** Tells whether a limit as it was told before is further on than the same limit as it was told since. */
function isAhead(before: QuotaWindow, since: QuotaWindow): boolean {
  const later = (before.resetsAt ?? 0) - (since.resetsAt ?? 0);
  return Math.abs(later) <= SAME_RESET_MS ? before.usedPercent > since.usedPercent : later > 0;
}

/** Returns the percent that is left of the tightest limit; null: not known, which is also so after a reset until the program says more. */
export function headroomOf(quota: Quota | null, now: number): number | null {
  const left = present(quota, now).map(({ usedPercent }) => 100 - usedPercent);
  return left.length === 0 ? null : Math.min(...left);
}

/** Tells whether an account is nearly at its limit. One of which nothing is known is not. */
export function isNearlySpent(quota: Quota | null, now: number): boolean {
  const left = headroomOf(quota, now);
  return left !== null && left < SPENT_BELOW;
}

/** Words what is left, until when, and how old that is, as a clause. */
export function tellQuota(quota: Quota | null, now: number): string {
  const windows = present(quota, now);
  if (quota === null || windows.length === 0) return 'what is left is not known';
  const words = windows.map(({ name, usedPercent, resetsAt }) => {
    const reset = resetsAt === null ? '' : ` (resets in ${duration(resetsAt - now)})`;
    return `${Math.round(100 - usedPercent)} % of the ${name} limit is left${reset}`;
  });
  const age = now - quota.at;
  return `${words.join(', ')}, as of ${age < 60_000 ? 'now' : `${duration(age)} ago`}`;
}

/** A limit whose reset has passed says nothing any more. */
function present(quota: Quota | null, now: number): readonly QuotaWindow[] {
  return (quota?.windows ?? []).filter(({ resetsAt }) => resetsAt === null || resetsAt > now);
}

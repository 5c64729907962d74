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
  /** Time at which a program told it, in epoch milliseconds. */
  readonly at: number;
}

/** Limits of an account, as its programs told them. */
export interface Quota {
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
  const [older, newer] = toldAt(known) <= toldAt(told) ? [known, told] : [told, known];
  const windows = newer.windows.map((window) => {
    const other = older.windows.find(({ name }) => name === window.name);
    return other === undefined ? window : joinWindows(other, window);
  });
  return { windows };
}

/** Time of the newest of the limits. */
export function toldAt({ windows }: Quota): number {
  return Math.max(0, ...windows.map(({ at }) => at));
}

/** A limit that is kept keeps its time, too: however often less is told beside it, it grows old. */
function joinWindows(one: QuotaWindow, other: QuotaWindow): QuotaWindow {
  const [before, since] = one.at <= other.at ? [one, other] : [other, one];
  return since.at - before.at <= REPEATED_MS && isAhead(before, since) ? before : since;
}

/** Tells whether limits read the same: a tenth of a percent or a reset that slides is no news. */
export function readsTheSame(one: Quota, other: Quota): boolean {
  return (
    one.windows.length === other.windows.length &&
    one.windows.every((window, place) => {
      const { name, usedPercent, resetsAt } = other.windows[place] ?? window;
      const isSameUse = Math.round(usedPercent) === Math.round(window.usedPercent);
      return name === window.name && isSameUse && Math.abs((resetsAt ?? 0) - (window.resetsAt ?? 0)) <= SAME_RESET_MS;
    })
  );
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
  if (windows.length === 0) return 'what is left is not known';
  const words = windows.map(({ name, usedPercent, resetsAt }) => {
    const reset = resetsAt === null ? '' : ` (resets in ${duration(resetsAt - now)})`;
    return `${Math.round(100 - usedPercent)} % of the ${name} limit is left${reset}`;
  });
  const age = now - Math.min(...windows.map(({ at }) => at));
  return `${words.join(', ')}, as of ${age < 60_000 ? 'now' : `${duration(age)} ago`}`;
}

/** Leaves out limits that have reset since they were told. */
function present(quota: Quota | null, now: number): readonly QuotaWindow[] {
  return (quota?.windows ?? []).filter(({ resetsAt }) => resetsAt === null || resetsAt > now);
}

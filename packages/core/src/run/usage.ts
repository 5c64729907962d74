/** Counts what tasks use, by kind of token and by day. */
import type { Budget } from './flow.ts';
import { epochOfWall, wallTimeAt } from '../limits/calendar.ts';

/** Tokens and money that a task has used so far. */
export interface Usage {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  /** US dollars; null: not told. */
  readonly money: number | null;
}

/** Use by one task on one day. Null: not told. */
export interface DayUsage {
  /** Begin of the day, epoch milliseconds. */
  readonly day: number;
  readonly input: number | null;
  readonly cached: number | null;
  readonly output: number | null;
  readonly money: number | null;
  /** Milliseconds at work. */
  readonly workedMs: number;
}

/** More than any task uses on a day: what machines say stays a number that everybody reads. */
const USED_MAX = 1_000_000_000_000;
const HOUR_MS = 3_600_000;

/** Returns the begin of the day in a time zone, epoch milliseconds. Of a midnight that comes twice it is the first. */
export function dayOf(now: number, zone: string): number {
  const at = { name: zone };
  const late = epochOfWall({ ...wallTimeAt(now, at), hour: 0, minute: 0, second: 0 }, at);
  const early = late - HOUR_MS;
  return wallTimeAt(early, at).hour === 0 ? early : late;
}

/**
 * Adds a report to the use of a day. `usage` is all since the count began, of which the days before have their part; a smaller one than was told
 * before takes nothing back. `workedMs` comes on top.
 */
export function addToDay(
  known: readonly DayUsage[],
  { day, usage, workedMs }: { readonly day: number; readonly usage: Usage | null; readonly workedMs: number },
): DayUsage {
  const today = known.find((one) => one.day === day);
  const before = known.filter((one) => one.day !== day);
  const part = (kind: keyof Usage): number | null => {
    const told = usage?.[kind] ?? null;
    const had = today?.[kind] ?? null;
    return told === null ? had : Math.max(had ?? 0, told - before.reduce((sum, one) => sum + (one[kind] ?? 0), 0));
  };
  return {
    day,
    input: part('input'),
    cached: part('cached'),
    output: part('output'),
    money: part('money'),
    workedMs: Math.min(USED_MAX, (today?.workedMs ?? 0) + workedMs),
  };
}

/** Adds up what was told; null: nothing was. */
export function sumTold(values: readonly (number | null)[]): number | null {
  const told = values.filter((one) => one !== null);
  return told.length === 0 ? null : told.reduce((all, one) => all + one, 0);
}

/** Use of a budget by a run or a stage. Null: no program told it. */
export interface Spent {
  readonly timeMs: number;
  readonly tokens: number | null;
  readonly cached: number | null;
  readonly money: number | null;
}

/** Returns the largest share of a budget that is spent; 0 without a budget. */
export function shareOf(budget: Budget, spent: Spent): number {
  const shares = (['timeMs', 'tokens', 'money'] as const).map((kind) => {
    const [limit, used] = [budget[kind], spent[kind]];
    return limit === null || used === null ? 0 : used / Math.max(limit, Number.MIN_VALUE);
  });
  return Math.max(...shares);
}

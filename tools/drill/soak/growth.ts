// Finds growth that should not be, by slopes over time. Pure.

/** A value at a moment, in milliseconds. */
export type Point = readonly [at: number, value: number];

/** Limit by which a value is judged. Times in milliseconds. */
export interface Limit {
  /** Points in this time from the first are left out. */
  readonly warmUpMs: number;
  /** Time that the points must span to say something. */
  readonly livedMinMs: number;
  /** Growth in an hour that is none. */
  readonly perHourMax: number;
}

/** Caches, plans and a heap fill for eight minutes (the coordinator swung between 180 and 270 MiB), and rise and fall for a quarter of an hour. */
const LIVED = { warmUpMs: 10 * 60_000, livedMinMs: 45 * 60_000 };

/** Milliseconds whose points count as one: memory swings for minutes, and the error of each point by itself would be too small. */
const SWINGS_MS = 5 * 60_000;

/** Resident memory in MiB: more would be half a GiB in a day. */
export const MEMORY: Limit = { ...LIVED, perHourMax: 20 };
/** Open handles: with more the usual limit of 1,024 would be met in less than two days. */
export const HANDLES: Limit = { ...LIVED, perHourMax: 24 };
/** Rows and files do not swing; more than a dead worker's worth in an hour is a leak. */
export const PIECES: Limit = { warmUpMs: 2 * 60_000, livedMinMs: 20 * 60_000, perHourMax: 10 };

/** Growth of something. */
export interface Growth {
  readonly last: number;
  readonly perHour: number;
  /** Standard error of the slope. */
  readonly error: number;
  /** Null: too little time has passed to tell. */
  readonly leaks: boolean | null;
}

/** Judges the points after the warm-up. */
export function growthOf(points: readonly Point[], { warmUpMs, livedMinMs, perHourMax }: Limit): Growth {
  const from = points[0]?.[0] ?? 0;
  const lived = points.filter(([at]) => at - from >= warmUpMs);
  const means = [...Map.groupBy(lived, ([at]) => Math.floor((at - from) / SWINGS_MS)).values()].map(meanOf);
  const { slope, error } = slopeOf(means);
  const isLong = (points.at(-1)?.[0] ?? 0) - from >= livedMinMs;
  return { last: points.at(-1)?.[1] ?? 0, perHour: slope, error, leaks: isLong ? slope > perHourMax : null };
}

function meanOf(points: readonly Point[]): Point {
  const mean = (of: (point: Point) => number): number =>
    points.reduce((total, point) => total + of(point), 0) / points.length;
  return [mean(([at]) => at), mean(([, value]) => value)];
}

/** Least squares, by the hour. @returns 0 for less than three moments. */
function slopeOf(points: readonly Point[]): { readonly slope: number; readonly error: number } {
  const sum = (of: (point: Point) => number): number => points.reduce((total, point) => total + of(point), 0);
  const [at, value] = meanOf(points);
  const spread = sum((point) => (point[0] - at) ** 2);
  if (points.length < 3 || spread === 0) return { slope: 0, error: 0 };
  const slope = sum((point) => (point[0] - at) * (point[1] - value)) / spread;
  const rest = sum((point) => (point[1] - value - slope * (point[0] - at)) ** 2);
  return { slope: slope * HOUR_MS, error: Math.sqrt(rest / (points.length - 2) / spread) * HOUR_MS };
}

const HOUR_MS = 3_600_000;

// Finds growth that should not be, by slopes over time. Pure.

/** Weight of a process at one moment. Milliseconds, bytes, open handles. */
export interface Weight {
  readonly at: number;
  readonly bytes: number;
  readonly handles: number;
}

/** Growth of a life of a process. */
export interface Growth {
  readonly name: string;
  readonly livedMs: number;
  /** Resident memory at last. */
  readonly bytes: number;
  readonly bytesPerHour: number;
  readonly handlesPerHour: number;
  /** Tells whether it leaks; null: it has not lived long enough to tell. */
  readonly leaks: boolean | null;
}

/** Growth of a table, a directory or a disk. */
export interface Stock {
  readonly name: string;
  /** Rows, files or bytes at last. */
  readonly now: number;
  readonly perHour: number;
  /** Tells whether it leaks; null: it grows with the work (history is kept for days), or too little time has passed to tell. */
  readonly leaks: boolean | null;
}

/** A value at a moment, in milliseconds. */
export type Point = readonly [at: number, value: number];

/** Caches, plans and a heap fill at first, in milliseconds: the coordinator swung between 180 and 270 MiB for eight minutes. */
const WARM_UP_MS = 10 * 60_000;
/** A life shorter than this says nothing, in milliseconds: a garbage-collected heap rises for a quarter of an hour and falls again. */
const LIFETIME_MIN_MS = 45 * 60_000;
/** The workers are made, in milliseconds. */
const STOCK_WARM_UP_MS = 2 * 60_000;
/** Rows and files do not swing: their growth is judged after a shorter time, in milliseconds. */
const STOCK_MIN_MS = 20 * 60_000;
/** Bytes an hour that are no leak: a day of more would be 480 MiB. */
const BYTES_PER_HOUR_MAX = 20 * 1_024 * 1_024;
/** Handles an hour that are no leak: with more the usual limit of 1,024 would be met in less than two days. */
const HANDLES_PER_HOUR_MAX = 24;
/** Rows or files of what does not grow with the work: more than that is a leak, a dead worker's worth every hour. */
const PIECES_PER_HOUR_MAX = 10;

/** Judges one life by the weights of its later part. */
export function growthOf(name: string, weights: readonly Weight[]): Growth {
  const [first] = weights;
  const warm = weights.filter(({ at }) => at - (first?.at ?? 0) >= WARM_UP_MS);
  const livedMs = (weights.at(-1)?.at ?? 0) - (first?.at ?? 0);
  const bytesPerHour = slopePerHour(warm.map(({ at, bytes }) => [at, bytes]));
  const handlesPerHour = slopePerHour(warm.map(({ at, handles }) => [at, handles]));
  const leaks = bytesPerHour > BYTES_PER_HOUR_MAX || handlesPerHour > HANDLES_PER_HOUR_MAX;
  const bytes = weights.at(-1)?.bytes ?? 0;
  return { name, livedMs, bytes, bytesPerHour, handlesPerHour, leaks: livedMs < LIFETIME_MIN_MS ? null : leaks };
}

/** Judges a stock of rows or files. @param isHistory It grows with the work, and is removed by its age. */
export function stockOf(name: string, points: readonly Point[], isHistory: boolean): Stock {
  const from = points[0]?.[0] ?? 0;
  const perHour = slopePerHour(points.filter(([at]) => at - from >= STOCK_WARM_UP_MS));
  const isLong = (points.at(-1)?.[0] ?? 0) - from >= STOCK_MIN_MS;
  const leaks = isHistory || !isLong ? null : perHour > PIECES_PER_HOUR_MAX;
  return { name, now: points.at(-1)?.[1] ?? 0, perHour, leaks };
}

/** Least squares. @returns 0 for less than two moments. */
function slopePerHour(points: readonly Point[]): number {
  const mean = (pick: 0 | 1): number =>
    points.reduce((sum, point) => sum + point[pick], 0) / Math.max(1, points.length);
  const [at, value] = [mean(0), mean(1)];
  const spread = points.reduce((sum, point) => sum + (point[0] - at) ** 2, 0);
  const joint = points.reduce((sum, point) => sum + (point[0] - at) * (point[1] - value), 0);
  return spread === 0 ? 0 : (joint / spread) * 3_600_000;
}

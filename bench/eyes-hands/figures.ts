// Reduces measurements to lines of the table.

/** Line of the table: a measurement beside the peer of the same run. */
export interface Figure {
  readonly what: string;
  readonly drover: string;
  /** The peer method's name and figure; empty where there is none. */
  readonly peer: string;
  /** Promised value; empty where the line only explains another. */
  readonly aim: string;
  /** Tells whether the aim is met; null where there is no aim, or it could not be measured here. */
  readonly met: boolean | null;
}

/** The value below which a share of the others lies, by the nearest rank. @returns NaN for no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN;
}

/** Median. @returns NaN for no values. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** `p50 12 ms, p99 40 ms (200)` of values in milliseconds. */
export function spread(values: readonly number[]): string {
  if (values.length === 0) return 'nothing measured';
  return `p50 ${ms(median(values))}, p99 ${ms(percentile(values, 0.99))} (${values.length})`;
}

/** Milliseconds for people: two digits below ten. */
export function ms(value: number): string {
  return `${value < 10 ? value.toFixed(2) : Math.round(value)} ms`;
}

/** A share of one core as a percentage. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

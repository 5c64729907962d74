/** Measures how the time of a function grows with the length of its text. */
import process from 'node:process';

/** Processor time of one measurement at least, in microseconds: some systems know the user's part of it from a sample every 4 ms. */
const MEASURED_MIN_US = 10_000;
/** Microseconds below which a time says nothing: at the greatest length quadratic time takes a thousand times as much. */
const NOISE_US = 1_000;
const ROUNDS = 3;
/** Doublings between the two lengths. Fresh memory is charged to a thread at once, not with each character: over one doubling that looked like 3.4. */
const DOUBLINGS = 3;
/** A measurement that the compiler or the collector of garbage disturbed is repeated so often. */
const TRIES = 6;
/** A quotient that no quadratic time has. */
const LINEAR_MAX = 2.6;
/** Lengths up to this are tried, in characters. */
const LENGTH_MAX = 1 << 18;

/**
 * Measures the processor time of this thread, which other processes do not change, for texts of some length and for texts
 * eight times as long.
 *
 * @param prepare Makes the text of a length, and returns the function to measure.
 * @returns the growth for each doubling, from the median of three quotients, the least of some tries: about 2 for linear time, 4 for quadratic time.
 */
export function timeGrowth(prepare: (length: number) => () => unknown): number {
  let length = 512;
  // The middle of three: a first run is compiled while it is measured.
  while (length < LENGTH_MAX && median([0, 1, 2].map(() => timeOf(prepare(length)))) < MEASURED_MIN_US) length *= 2;
  const [shorter, longer] = [prepare(length), prepare(length * 2 ** DOUBLINGS)];
  let least = Infinity;
  for (let tries = 0; tries < TRIES && least > LINEAR_MAX; tries += 1) {
    const quotients = Array.from({ length: ROUNDS }, () => timeOf(longer) / Math.max(NOISE_US, timeOf(shorter)));
    least = Math.min(least, median(quotients) ** (1 / DOUBLINGS));
  }
  return least;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Infinity;
}

function timeOf(run: () => unknown): number {
  const before = process.threadCpuUsage();
  run();
  // Counts without the system's part: it gives fresh memory at once, not with each character.
  return process.threadCpuUsage(before).user;
}

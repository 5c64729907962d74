/** Measures how the time of a function grows with the length of its text. */
import process from 'node:process';

/** Processor time of one measurement at least, in microseconds: far above the grain of the clock. */
const MEASURED_MIN_US = 4_000;
/** Less says nothing: at the greatest length quadratic time takes a thousand times as much. */
const NOISE_US = 1_000;
const ROUNDS = 5;
/** A measurement that the compiler or the collector of garbage disturbed is repeated so often. */
const TRIES = 4;
/** A quotient that no quadratic time has. */
const LINEAR_MAX = 2.6;
/** Lengths up to this are tried, in characters. */
const LENGTH_MAX = 1 << 18;

/**
 * Measures the processor time of this thread, which other processes do not change, for texts of some length and for texts twice as long.
 *
 * @param prepare Makes the text of a length, and returns the function to measure.
 * @returns the median of five quotients, the least of some tries: about 2 for linear time, 4 for quadratic time.
 */
export function timeGrowth(prepare: (length: number) => () => unknown): number {
  let length = 512;
  while (length < LENGTH_MAX && timeOf(prepare(length)) < MEASURED_MIN_US) length *= 2;
  const [shorter, longer] = [prepare(length), prepare(length * 2)];
  let least = Infinity;
  for (let tries = 0; tries < TRIES && least > LINEAR_MAX; tries += 1) {
    const quotients = Array.from({ length: ROUNDS }, () => timeOf(longer) / Math.max(NOISE_US, timeOf(shorter)));
    least = Math.min(least, quotients.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Infinity);
  }
  return least;
}

function timeOf(run: () => unknown): number {
  const before = process.threadCpuUsage();
  run();
  return process.threadCpuUsage(before).user;
}

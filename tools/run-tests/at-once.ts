/** Chooses how many tests of one file may run at the same time: on a saturated processor each one more delays them all. */
import { spawnSync } from 'node:child_process';

/** Vitest's own number, for a machine on which tests wait for time to pass more than for the processor. */
const USUAL = 5;
const ON_SLOW_MACHINE = 2;
/** Milliseconds: Node starts in 27 to 45 on two processors at rest, in 110 to 150 where touching new memory is slow. */
const SLOW_START_MS = 80;
const STARTS = 3;

/**
 * Measured where a start takes 120 ms: 51 tests of five files in 334 s by two at once, in 411 s by five, and then one of them
 * ran out of time.
 *
 * @param startMs Milliseconds in which this machine starts Node.
 */
export function testsAtOnce(startMs: number): number {
  return startMs > SLOW_START_MS ? ON_SLOW_MACHINE : USUAL;
}

/** Milliseconds of the quickest of some starts of Node. */
export function measureStart(): number {
  const times = Array.from({ length: STARTS }, () => {
    const from = performance.now();
    spawnSync(process.execPath, ['-e', '0'], { stdio: 'ignore' });
    return performance.now() - from;
  });
  return Math.min(...times);
}

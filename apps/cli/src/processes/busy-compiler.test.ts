// Checks when a process that stays beside agents begins to compile.
import { expect, test } from 'vitest';
import { compileWhenBusy } from './busy-compiler.ts';

/** Plays minutes of a process: the seconds of a processor that each uses. @returns minutes until it compiled; null: it never did. */
function compiledAfter(minutes: readonly number[], lateMs = 0): number | null {
  const alarms: (() => void)[] = [];
  let [now, used, compiled] = [0, 7_000, 0];
  compileWhenBusy({
    now: () => now,
    usedMs: () => used,
    alarm: (_, run) => void alarms.push(run),
    compile: () => (compiled += 1),
  });
  for (const [minute, seconds] of minutes.entries()) {
    now += 60_000 + lateMs;
    used += seconds * 1_000;
    alarms.shift()?.();
    if (compiled > 0) return alarms.length === 0 && compiled === 1 ? minute + 1 : null;
  }
  return null;
}

test('given a process, when it works for half of a minute, then it compiles from then on, and looks no more', () => {
  expect(compiledAfter([5, 29, 2, 30, 60])).toBe(4);
});

test('given a process that works little, or whose look comes late, then it does not compile', () => {
  expect(compiledAfter([29, 29, 29])).toBeNull();
  expect(compiledAfter([40], 60_000)).toBeNull();
});

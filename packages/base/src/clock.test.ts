import { expect, test } from 'vitest';
import { pause, waitFor } from './clock.ts';

/** Clock that moves when it is told to, or to each timer at once. */
function scripted({ moves }: { moves: boolean }) {
  let now = 0;
  const armed = new Set<() => void>();
  return {
    armed,
    elapsed: () => now,
    after(ms: number, run: () => void) {
      armed.add(run);
      if (moves) {
        queueMicrotask(() => {
          now += ms;
          if (armed.delete(run)) run();
        });
      }
      return () => void armed.delete(run);
    },
  };
}

test('given a pause, when its signal fires before its time, then it ends at once and its timer is gone', async () => {
  const clock = scripted({ moves: false });
  const stop = new AbortController();
  const paused = pause(clock, 1_000, stop.signal);
  expect(clock.armed.size).toBe(1);

  stop.abort();
  await paused;

  expect(clock.armed.size).toBe(0);
});

test('given a signal that has fired, when a pause begins, then it sets no timer', async () => {
  const clock = scripted({ moves: false });

  await pause(clock, 1_000, AbortSignal.abort());

  expect(clock.armed.size).toBe(0);
});

test('given an answer that never comes, when its time is over, then the last question was asked at the end', async () => {
  const clock = scripted({ moves: true });
  const asked: number[] = [];

  const answer = await waitFor(clock, async () => void asked.push(clock.elapsed()), { withinMs: 30, everyMs: 10 });

  expect(answer).toBeUndefined();
  expect(asked).toEqual([0, 10, 20, 30]);
});

test('given a signal that fires while somebody waits, when the next question is due, then none is asked', async () => {
  const clock = scripted({ moves: true });
  const stop = new AbortController();
  let asked = 0;
  const ask = async (): Promise<undefined> => {
    asked += 1;
    stop.abort();
  };

  expect(await waitFor(clock, ask, { withinMs: 1_000, everyMs: 10, signal: stop.signal })).toBeUndefined();
  expect(asked).toBe(1);
});

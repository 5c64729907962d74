import type { LocalClock } from '@drover/base';
import { expect, test } from 'vitest';
import type { RunningServer } from './server.ts';
import { RESTART_WINDOW_MS, RESTARTS_MAX, supervise } from './supervise.ts';

/** Servers that die when told to, and a clock that moves only when told to. */
function scripted(): {
  start: () => Promise<RunningServer>;
  clock: LocalClock;
  log: (level: string, message: string) => void;
  lines: string[];
  /** Lets the last server die and waits until the next one runs, or until none will. */
  die: (ended: Promise<void>) => Promise<void>;
  pass: (ms: number) => void;
} {
  let [now, pid] = [0, 100];
  let started = Promise.withResolvers<void>();
  let death = Promise.withResolvers<void>();
  const lines: string[] = [];
  return {
    lines,
    clock: {
      now: () => now,
      elapsed: () => now,
      after: (ms, run) => {
        now += ms;
        queueMicrotask(run);
        return () => {};
      },
    },
    log: (level, message) => lines.push(`${level}: ${message}`),
    pass: (ms) => void (now += ms),
    start: async () => {
      const mine = (death = Promise.withResolvers<void>());
      pid += 1;
      started.resolve();
      return { pid, ended: mine.promise, stop: async () => mine.resolve() };
    },
    die: async (ended) => {
      started = Promise.withResolvers<void>();
      death.resolve();
      await Promise.race([started.promise, ended]);
    },
  };
}

test('given a server that dies at once again and again, when the restarts are used up, then it is left alone and said so', async () => {
  const given = scripted();
  const server = await supervise(given.start, given);

  for (let death = 0; death <= RESTARTS_MAX; death += 1) await given.die(server.ended);
  await server.ended;

  expect(server.pid).toBe(101 + RESTARTS_MAX);
  expect(given.lines.at(-1)).toBe(
    'error: The database server died 6 times within a minute, so Drover does not restart it.',
  );
});

test('given deaths that are far apart, when there are more than a window allows, then it is started again each time', async () => {
  const given = scripted();
  const server = await supervise(given.start, given);

  for (let death = 0; death < 3 * RESTARTS_MAX; death += 1) {
    await given.die(server.ended);
    given.pass(RESTART_WINDOW_MS / RESTARTS_MAX);
  }

  expect(server.pid).toBe(101 + 3 * RESTARTS_MAX);
  await server.stop();
});

test('given a restart that fails five times, when the sixth works, then it was waited for longer and longer', async () => {
  const given = scripted();
  let failures = -1; // the first start works
  const start = async () => {
    failures += 1;
    if (failures > 0 && failures <= 5) throw new Error('disk full');
    return given.start();
  };
  const server = await supervise(start, given);
  const before = given.clock.now();

  await given.die(server.ended);

  expect(given.clock.now() - before).toBe(31_000);
  expect(given.lines.filter((line) => line.includes('disk full'))).toHaveLength(5);
  await server.stop();
});

test('given a restart that never works, when the tries are used up, then it is over and said so', async () => {
  const given = scripted();
  let starts = 0;
  const start = async () => {
    starts += 1;
    if (starts > 1) throw new Error('disk full');
    return given.start();
  };
  const server = await supervise(start, given);

  await given.die(server.ended);
  await server.ended;

  expect(starts).toBe(1 + 1 + RESTARTS_MAX);
  expect(given.lines.at(-1)).toBe('error: Cannot restart the database server: Error: disk full');
});

test('given a running server, when it is stopped, then it is not started again', async () => {
  const given = scripted();
  const server = await supervise(given.start, given);

  await server.stop();
  await server.ended;

  expect(server.pid).toBe(101);
  expect(given.lines).toEqual([]);
});

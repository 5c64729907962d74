import { expect, test } from 'vitest';
import type { Clock } from '../clock.ts';
import type { RunningServer } from './server.ts';
import { RESTART_WINDOW_MS, RESTARTS_MAX, supervise } from './supervise.ts';

/** Servers that die when told to, and a clock that stands until it is moved. */
function scripted(): {
  start: () => Promise<RunningServer>;
  clock: Clock;
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
    clock: { now: () => now, sleep: () => Promise.reject(new Error('nobody sleeps here')) },
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
  expect(given.lines.at(-1)).toBe('error: The database server died 6 times within a minute: not started again.');
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

test('given a running server, when it is stopped, then it is not started again', async () => {
  const given = scripted();
  const server = await supervise(given.start, given);

  await server.stop();
  await server.ended;

  expect(server.pid).toBe(101);
  expect(given.lines).toEqual([]);
});

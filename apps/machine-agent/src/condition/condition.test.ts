/** Checks when a machine's condition is read, and what is reported of it. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalHost } from '@drover/host';
import { condition } from '@drover/protocol';
import { expect, test } from 'vitest';
import { ConditionWatch, READ_EVERY_MS, VERSIONS_AFTER_MS } from './condition.ts';

const noDisk = (): Promise<null> => Promise.resolve(null);

/** Makes a watch on a clock that the test moves. */
function watched(read: (ask: boolean) => Promise<readonly never[]>) {
  const timers: { readonly delayMs: number; readonly run: () => void }[] = [];
  const logged: string[] = [];
  const clock = {
    after: (delayMs: number, run: () => void) => {
      const timer = { delayMs, run };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  };
  const gauges = {
    disk: noDisk,
    load: async () => ({ ...(await createLocalHost({ env: {} }).load()), load: timers.length }),
  };
  const log = (_level: string, message: string): void => void logged.push(message);
  return { watch: new ConditionWatch({ programs: { read }, gauges, clock, log }), timers, logged };
}

test('given a machine, when its agent starts, then it is read without starting a program, and from then on slowly with versions', async () => {
  const asked: boolean[] = [];
  const { watch, timers } = watched((ask) => {
    asked.push(ask);
    return Promise.resolve([]);
  });

  expect(watch.newest).toBeNull();
  watch.start();
  await expect.poll(() => timers.map(({ delayMs }) => delayMs)).toEqual([VERSIONS_AFTER_MS]);
  const first = watch.newest;
  timers.pop()?.run();
  await expect.poll(() => timers.map(({ delayMs }) => delayMs)).toEqual([READ_EVERY_MS]);

  expect(asked).toEqual([false, true]);
  expect(first).not.toBeNull();
  expect(watch.newest).not.toBe(first);
  watch[Symbol.dispose]();
  expect(timers).toEqual([]);
});

test('given a reading that fails, when it is over, then that is logged, the last one stays, and the next is tried', async () => {
  let isBroken = false;
  const { watch, timers, logged } = watched(() =>
    isBroken ? Promise.reject(new Error('no disk')) : Promise.resolve([]),
  );
  watch.start();
  await expect.poll(() => timers.length).toBe(1);
  const first = watch.newest;

  isBroken = true;
  timers.pop()?.run();
  await expect.poll(() => logged).toEqual([expect.stringContaining('no disk')]);

  await expect.poll(() => timers.length).toBe(1);
  expect(watch.newest).toBe(first);
});

test('given this machine and a workspace that is not there yet, when its gauges are read, then the protocol takes the numbers', async () => {
  const host = createLocalHost({ env: {} });
  const disk = (await host.disk(join(tmpdir(), 'drover-is-not-there', 'deeper'))) ?? null;
  const said = { sentAt: 1, programs: [], ...(await host.load()), disk };

  expect(condition.parse(said)).toEqual(said);
  expect(said.disk?.bytes).toBeGreaterThan(0);
  expect(said.memory.freeBytes).toBeLessThanOrEqual(said.memory.bytes);
});

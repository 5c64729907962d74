/** Finds a command whose hint was lost, with one read for all waiters. */
import { createMemoryStore, MemoryDatabase } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { testContext } from '../testing/context.ts';
import { OutboxWatch } from './outbox-watch.ts';
import { Waiters } from '../context/waiters.ts';

/** Builds a replica whose clock the test advances. `machines` have commands. */
function watched(machines: readonly string[]) {
  const timers: { readonly ms: number; readonly run: () => void }[] = [];
  const found = { reads: 0, woken: [] as string[] };
  const memory = createMemoryStore({ database: new MemoryDatabase(), sleep: () => Promise.resolve(), random: () => 0 });
  const store = {
    ...memory,
    machinesWithCommands: () => {
      found.reads += 1;
      return Promise.resolve(machines);
    },
  };
  const after = (ms: number, run: () => void): (() => void) => {
    timers.push({ ms, run });
    return () => void timers.splice(0);
  };
  const commands = new Waiters();
  const watch = new OutboxWatch(testContext({ store, clock: { now: () => 1, after } }), commands);
  const pass = async (): Promise<void> => {
    timers.shift()?.run();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { commands, found, timers, pass, watch };
}

test('given connections of three machines and commands for two, when no hint comes, then a second later these two are woken, by one reading', async () => {
  const { commands, found, timers, pass, watch } = watched(['a', 'b', 'elsewhere']);
  for (const id of ['a', 'b', 'c']) commands.on(id, () => found.woken.push(id));

  expect(timers.map(({ ms }) => ms)).toEqual([1_000]);
  await pass();

  expect(found).toEqual({ reads: 1, woken: ['a', 'b'] });
  expect(timers.map(({ ms }) => ms)).toEqual([1_000]);
  watch[Symbol.dispose]();
  expect(timers).toEqual([]);
});

test('given no machine that waits, when a second passes, then the database is not asked', async () => {
  const { found, pass } = watched(['a']);
  await pass();
  expect(found.reads).toBe(0);
});

// Checks that a schedule leaves nothing in memory when it is over: `npm run sim` plays thousands in each of its processes.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Stores } from '@drover/machine-agent/testing';
import { expect, test } from 'vitest';
import { runSchedule } from './schedule.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Milliseconds within which the last life is freed, on a machine that does much else. */
const FREED_WITHIN_MS = 30_000;

test('given schedules that are over, when the garbage is collected, then no life of an agent is left of them', async () => {
  const processes: WeakRef<Stores>[] = [];
  const tamper = (stores: Stores): void => void processes.push(new WeakRef(stores));

  for (let seed = 1; seed <= 5; seed += 1) await runSchedule(seed, { keepLines: false, tamper });

  expect(processes.length).toBeGreaterThan(5);
  // The compiler of Node works in a thread of its own, and holds what the function that it compiles can reach until it is done.
  await expect.poll(processesLeft, { timeout: FREED_WITHIN_MS }).toBe(0);

  function processesLeft(): number {
    collectGarbage();
    return processes.filter((held) => held.deref() !== undefined).length;
  }
});

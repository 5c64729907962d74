// Does a schedule leave anything in memory when it is over? 10,000 of them run in two processes.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Stores } from '@drover/machine-agent/testing';
import { expect, test } from 'vitest';
import { runSchedule } from './schedule.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('given schedules that are over, when the garbage is collected, then no life of an agent is left of them', async () => {
  const lives: WeakRef<Stores>[] = [];
  const tamper = (stores: Stores): void => void lives.push(new WeakRef(stores));

  for (let seed = 1; seed <= 5; seed += 1) await runSchedule(seed, { keepLines: false, tamper });
  // What is weakly held in a turn of the event loop is let go in the next.
  await new Promise((resolve) => void setImmediate(resolve));
  collectGarbage();

  expect(lives.length).toBeGreaterThan(5);
  expect(lives.filter((life) => life.deref() !== undefined)).toHaveLength(0);
});

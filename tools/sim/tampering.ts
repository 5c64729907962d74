/** Plays schedules of something that is broken on purpose: a simulation that does not notice is not looking. */
import { expect, test } from 'vitest';
import type { Machine, StoreTransaction } from '@drover/store';
import { changedMethods, type StoreClient } from '@drover/store/testing';
import { runSchedule, type ScheduleOptions } from './schedule.ts';

/** Milliseconds for all schedules of a test on a machine that does much else. */
const WITHIN_MS = 1_200_000;

/** A part that is broken, a seed in which that was noticed when this was written, and the words of the promise that counts as broken. */
export type Broken = readonly [what: string, seed: number, options: Partial<ScheduleOptions>, noticed: RegExp];

/** The schedules in which something must be noticed: how many seeds from the first one, how far apart, and which of them. */
interface Seeds {
  readonly seeds?: number;
  readonly step?: number;
  readonly isMeant?: (seed: number) => boolean;
}

/** Makes a test of each. `when`: what goes on in its schedules. */
export function expectNoticed(
  when: string,
  broken: readonly Broken[],
  { seeds = 1_200, step = 1, isMeant = () => true, ...common }: Partial<ScheduleOptions> & Seeds = {},
): void {
  test.each(broken)(
    `given %s, when ${when}, then a promise counts as broken`,
    async (...[, first, options, noticed]: Broken) => {
      let violation: string | null = null;

      for (let seed = first; seed < first + seeds * step && violation === null; seed += step)
        if (isMeant(seed)) ({ violation } = await runSchedule(seed, { keepLines: false, ...common, ...options }));

      expect(violation).toMatch(noticed);
    },
    WITHIN_MS,
  );
}

/** A store whose transactions, and reads of machines, are changed. */
export function changed(
  change: (tx: StoreTransaction) => Partial<StoreTransaction>,
  read: (machine: Machine) => Machine = (machine) => machine,
): Pick<ScheduleOptions, 'tamperStore'> {
  return {
    tamperStore: (store: StoreClient) => ({
      ...store,
      listMachines: async () => (await store.listMachines()).map(read),
      transaction: (work) =>
        store.transaction((tx) =>
          work(
            changedMethods(tx, {
              listMachines: async () => (await tx.listMachines()).map(read),
              readMachine: async (id) => {
                const machine = await tx.readMachine(id);
                return machine === null ? null : read(machine);
              },
              ...change(tx),
            }),
          ),
        ),
    }),
  };
}

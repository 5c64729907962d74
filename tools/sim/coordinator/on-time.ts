// Checks that no due work comes before its time by the database's clock.
import type { Store } from '@drover/store';
import { count } from '../runs/tally.ts';
import type { Tally } from '../runs/tally.ts';

/** Promise about time. */
const ON_TIME = "no due work comes before its time by the database's clock";

/** A store with a look at each taking of due work. `now` is the true time; the database's clock may differ and jump. */
export function onTime(store: Store, { now, tally }: { now: () => number; tally: Tally }): Store {
  // Milliseconds between the clock and the true time when the clock was read last, however long its answer took.
  let offMs = 0;
  return {
    ...store,
    readClock: async () => {
      const askedAt = now();
      const said = await store.readClock();
      offMs = said - askedAt;
      return said;
    },
    claimDueWork: async (asOf, options) => {
      const rows = await store.claimDueWork(asOf, options);
      for (const { kind, key, dueAt } of rows) {
        count(tally.checks, ON_TIME);
        const earlyMs = dueAt - (now() + offMs);
        if (earlyMs > 0) tally.broken(`${kind} ${key} came ${earlyMs} ms before its time`);
      }
      return rows;
    },
  };
}

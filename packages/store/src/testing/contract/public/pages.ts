// Lists that are read page by page while rows come in: the tests that every store passes.
import { expect, test } from 'vitest';
import type { CheckpointRow } from '../../../port/checkpoints.ts';
import type { ErrorRow } from '../../../port/incidents.ts';
import type { AuditRow } from '../../../port/people.ts';
import type { QueueItemRow } from '../../../port/queue.ts';
import type { Store } from '../../../port/store.ts';
import type { WorkerRow } from '../../../port/workers.ts';
import type { OpenStore } from '../open-store.ts';
import { checkpoint, error, queueItem } from '../row-seeds.ts';
import { seeded } from '../seeds.ts';

/** A list: how a row of a time is added to it, and how a page is read that begins after the last row of the page before. */
interface List {
  readonly add: (store: Store, worker: WorkerRow, at: number) => Promise<unknown>;
  readonly reader: (store: Store) => (limit: number) => Promise<readonly string[]>;
}

/** Reads on after the last row that was read. */
function reading<T>(
  page: (after: T | undefined, limit: number) => Promise<readonly T[]>,
  nameOf: (row: T) => string,
): (limit: number) => Promise<readonly string[]> {
  let last: T | undefined;
  return async (limit) => {
    const rows = await page(last, limit);
    last = rows.at(-1) ?? last;
    return rows.map(nameOf);
  };
}

const LISTS: Readonly<Record<string, List>> = {
  'the work queue': {
    add: (store, worker, at) => {
      const row = queueItem(worker, { priority: at % 2 === 0 ? 'S1' : 'S2', createdAt: at });
      return store.transaction((tx) => tx.insertQueueItem({ ...row, dedupeKey: row.id }));
    },
    reader: (store) =>
      reading<QueueItemRow>(
        (after, limit) => store.listQueueItems({ limit, ...(after !== undefined && { after }) }),
        ({ id }) => id,
      ),
  },
  'the error log': {
    add: (store, worker, at) => store.transaction((tx) => tx.insertErrors([error(worker, { timestamp: at })])),
    reader: (store) =>
      reading<ErrorRow>(
        (last, limit) => {
          const after = last === undefined ? {} : { after: { at: last.timestamp, id: last.id } };
          return store.listErrors({ limit, ...after });
        },
        ({ id }) => id,
      ),
  },
  checkpoints: {
    add: (store, worker, at) => store.transaction((tx) => tx.insertCheckpoint(checkpoint(worker, { createdAt: at }))),
    reader: (store) =>
      reading<CheckpointRow>(
        (last, limit) => {
          const after = last === undefined ? {} : { after: { at: last.createdAt, id: last.id } };
          return store.listCheckpoints({ limit, ...after });
        },
        ({ id }) => id,
      ),
  },
  'the audit': {
    add: (store, worker, at) => {
      const chain = at % 2 === 0 ? 'fleet' : `worker:${worker.id}`;
      return store.transaction((tx) => tx.audit({ chain, at, actor: 'person ada', body: JSON.stringify({ at }) }));
    },
    reader: (store) =>
      reading<AuditRow>(
        (after, limit) => store.listAudit({ limit, ...(after !== undefined && { after }) }),
        ({ chain, seq }) => `${chain} ${seq}`,
      ),
  },
};

/** Declares the tests; `open` gives each its own store. */
export function pageContract(open: OpenStore): void {
  test.each(Object.entries(LISTS))(
    'given %s, when it is read in pages while rows come in, then each row of before comes once, in the order of the list',
    async (_name, { add, reader }) => {
      await using given = await open();
      const { store } = given;
      const worker = await seeded(store);
      for (const at of [5, 5, 5, 6, 6, 7, 7, 8]) await add(store, worker, at);
      const whole = await reader(store)(100);

      const read = reader(store);
      const seen: string[] = [];
      for (;;) {
        const page = await read(2);
        if (page.length === 0) break;
        seen.push(...page);
        // Adds an item that sorts to the front, or to the end of the queue.
        await add(store, worker, 9);
        if (seen.length > 100) break;
      }

      expect(whole).toHaveLength(8);
      expect(seen.filter((id) => whole.includes(id))).toEqual(whole);
      expect(new Set(seen).size).toBe(seen.length);
    },
  );
}

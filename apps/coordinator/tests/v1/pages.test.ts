/** Pages of lists of the public API while rows arrive: existing rows come once, and a cursor of another list is refused. */
import { checkpoint, error, queueItem } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { fleetOfTwo } from '../support/fleet-of-two.ts';
import type { Scene } from '../support/fleet-of-two.ts';

type Add = (scene: Scene, at: number) => Promise<unknown>;

const LISTS: Readonly<Record<string, { readonly add: Add; readonly nameOf: (item: Item) => string }>> = {
  'queue?all=true&': {
    add: async (scene, at) => {
      const row = queueItem(await workerOf(scene), { priority: at % 2 === 0 ? 'S1' : 'S2', createdAt: at });
      return scene.store.transaction((tx) => tx.insertQueueItem({ ...row, dedupeKey: row.id }));
    },
    nameOf: ({ id = '' }) => id,
  },
  'errors?all=true&': {
    add: async (scene, at) => {
      const row = error(await workerOf(scene), { timestamp: at });
      return scene.store.transaction((tx) => tx.insertErrors([row]));
    },
    nameOf: ({ id = '' }) => id,
  },
  'checkpoints?worker=inside&': {
    add: async (scene, at) => {
      const row = checkpoint(await workerOf(scene), { createdAt: at });
      return scene.store.transaction((tx) => tx.insertCheckpoint(row));
    },
    nameOf: ({ id = '' }) => id,
  },
  'audit?actor=ada&': {
    add: ({ store }, at) => {
      const said = { at, actor: 'person ada', actorId: 'x', action: 'tried', about: 'it', details: {} };
      const body = JSON.stringify(said);
      const chain = at % 2 === 0 ? 'fleet' : 'worker:x';
      return store.transaction((tx) => tx.audit({ chain, at, actor: 'person ada', body }));
    },
    nameOf: ({ chain = '', seq = 0 }) => `${chain} ${seq}`,
  },
};

interface Item {
  readonly id?: string;
  readonly chain?: string;
  readonly seq?: number;
}

async function workerOf({ store, own }: Scene) {
  const row = (await store.listWorkers()).find(({ name }) => name === own.worker);
  if (row === undefined) throw new Error('The worker is gone');
  return row;
}

async function pageOf(
  scene: Scene,
  path: string,
): Promise<{ readonly items: readonly Item[]; readonly next: string | null }> {
  const response = await scene.send(`/v1/${path}`, { method: 'GET', caller: 'admin+fleet' });
  expect(response.status).toBe(200);
  return (await response.json()) as { items: Item[]; next: string | null };
}

test.each(Object.entries(LISTS))(
  'given /v1/%slimit=2, when its pages are followed while things come in, then each of before comes once, and the last page says so',
  async (path, { add, nameOf }) => {
    const scene = await fleetOfTwo();
    for (const at of [5, 5, 5, 6, 6, 7, 7, 8]) await add(scene, at);
    const whole = await pageOf(scene, path);
    const seen: string[] = [];
    let after = '';
    for (let pages = 0; pages < 50; pages += 1) {
      const { items, next } = await pageOf(scene, `${path}limit=2${after}`);
      seen.push(...items.map(nameOf));
      if (next === null) break;
      after = `&after=${encodeURIComponent(next)}`;
      if (pages < 3) await add(scene, 9);
    }

    const before = whole.items.map(nameOf);
    expect(before.length).toBeGreaterThanOrEqual(8);
    expect(whole.next).toBeNull();
    expect(seen.filter((name) => before.includes(name))).toEqual(before);
    expect(new Set(seen).size).toBe(seen.length);
  },
);

test.each(Object.keys(LISTS))(
  'given a cursor of no place in /v1/%s, when it is sent, then it is lost',
  async (path) => {
    const scene = await fleetOfTwo();
    for (const after of [
      '1',
      'S9.1.01900000-0000-7000-8000-000000000001',
      '1.2',
      '1.2.\u00e4',
      `1.${'-'.repeat(36)}`,
    ]) {
      const sent = { method: 'GET', caller: 'admin+fleet' } as const;
      const response = await scene.send(`/v1/${path}after=${encodeURIComponent(after)}`, sent);
      expect([after, response.status, ((await response.json()) as { code: string }).code]).toEqual([
        after,
        410,
        'cursor-lost',
      ]);
    }
  },
);

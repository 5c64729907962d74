// Chats that get another address: the tests that every store passes.
import { expect, test } from 'vitest';
import { CLAIM, PLACE, questionAt } from './channels.ts';
import type { OpenStore } from '../open-store.ts';
import { escalation, incident } from '../row-seeds.ts';

/** Declares the tests; `open` gives each its own store. */
export function placeMoveContract(open: OpenStore): void {
  test('given a chat that moves, when questions are shown there, then each is due once at the new address, without a new ping, and old names find it', async () => {
    await using given = await open();
    const { store } = given;
    const shown = await questionAt(store);
    const worker = (await store.listWorkers())[0] ?? expect.unreachable('there is a worker');
    const both = escalation(worker, { id: incident(worker).id, dedupeKey: 'both' });
    const next = { channel: 'telegram', address: '-100' };
    await store.transaction(async (tx) => {
      await tx.openEscalation(both);
      await tx.savePlace({ ...next, personId: null, projectId: null, createdAt: 2 });
      for (const place of [PLACE, next]) await tx.wantDelivery(both.id, place, { now: 1 });
    });
    for (const { delivery } of await store.claimDeliveries(CLAIM, 10)) {
      const end = { kind: 'shown', version: 1, ref: `card at ${delivery.address}`, pings: 1 } as const;
      await store.endDelivery({ ...delivery, holder: CLAIM.holder }, end, 1);
    }
    const move = () => store.transaction((tx) => tx.movePlace({ channel: 'telegram', from: '7', to: '-100' }));

    const moved = await Promise.all([move(), move()]);

    expect(moved.toSorted()).toEqual([false, true]);
    expect(await store.listPlaces()).toMatchObject([{ ...next, formerAddress: '7' }]);
    expect(await store.listDeliveries(shown.id)).toMatchObject([
      { address: '-100', shown: 0, ref: null, pingsWanted: 1, pingsGiven: 1, holder: null },
    ]);
    expect(await store.listDeliveries(both.id)).toMatchObject([{ address: '-100', shown: 1, ref: 'card at -100' }]);
    const due = await store.claimDeliveries({ ...CLAIM, holder: 'two', now: 500, until: 600 }, 10);
    expect(due.map(({ delivery }) => delivery.escalationId)).toEqual([shown.id]);
    await store.transaction((tx) => tx.savePlace({ ...next, personId: null, projectId: null, createdAt: 9 }));
    expect(await store.listPlaces()).toMatchObject([{ formerAddress: '7' }]);
  });
}

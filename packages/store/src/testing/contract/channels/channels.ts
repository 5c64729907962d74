// People of chats, places and deliveries: the tests that every store passes.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Store } from '../../../port/store.ts';
import type { OpenStore } from '../open-store.ts';
import { escalation, incident } from '../row-seeds.ts';
import { seeded } from '../seeds.ts';

/** A bot of Telegram asks for work. */
export const CLAIM = { channel: 'telegram', holder: 'one', until: 100, now: 50 } as const;
/** A chat of Telegram. */
export const PLACE = { channel: 'telegram', address: '7' } as const;

/** Declares the tests; `open` gives each its own store. */
export function channelContract(open: OpenStore): void {
  test('given a code for a person, when it is used, then it links once, not after its time, and a newer code ends it', async () => {
    await using given = await open();
    const { store } = given;
    const ada = await person(store, 'ada');
    const code = (sha256: string) => ({ sha256, personId: ada.id, expiresAt: 100 });

    const outcomes = await store.transaction(async (tx) => {
      await tx.insertLinkCode(code('first'));
      await tx.insertLinkCode(code('second'));
      return [
        await tx.takeLinkCode('first', 1),
        await tx.takeLinkCode('second', 100),
        await tx.takeLinkCode('second', 99),
        await tx.takeLinkCode('second', 99),
      ];
    });

    expect(outcomes).toEqual([null, null, ada, null]);
  });

  test('given silences, when they are listed, then those that are over are not there, and what is ended or old is gone', async () => {
    await using given = await open();
    const { store } = given;
    const actor = { kind: 'person', id: 'x', name: 'ann' } as const;
    const silence = (until: number) => {
      const { id } = incident({ id: 'w', name: 'w' } as never);
      return {
        id,
        projectId: null,
        worker: 'adam',
        machine: null,
        code: null,
        reason: 'moves',
        until,
        actor,
        createdAt: 1,
      };
    };
    const [short, long, ended] = [silence(50), silence(200), silence(300)];

    const outcomes = await store.transaction(async (tx) => {
      for (const one of [long, ended, short]) await tx.insertSilence(one);
      return [await tx.deleteSilence(ended.id), await tx.deleteSilence(ended.id)];
    });

    expect(outcomes).toEqual([true, false]);
    expect(await store.listSilences(10)).toEqual([short, long]);
    expect(await store.listSilences(50)).toEqual([long]);
    const changed = { ...short, until: 60, reason: 'longer' };
    const saved = await store.transaction(async (tx) => [await tx.saveSilence(changed), await tx.saveSilence(ended)]);
    expect([saved, await store.listSilences(50)]).toEqual([
      [true, false],
      [changed, long],
    ]);
    await store.transaction((tx) => tx.prune(100, 100));
    expect(await store.transaction((tx) => tx.listSilences(10))).toEqual([long]);
  });

  test('given tests of places, when bots take and end them, then each is given once while somebody waits, and its first end stays', async () => {
    await using given = await open();
    const { store } = given;
    const { id } = incident({ id: 'w', name: 'w' } as never);
    const { id: second } = incident({ id: 'w', name: 'w' } as never);
    const { id: late } = incident({ id: 'w', name: 'w' } as never);
    const one = { id, ...PLACE, by: 'ann', createdAt: 1_000, end: null };
    const [other, old] = [
      { ...one, id: second, channel: 'slack' },
      { ...one, id: late },
    ];
    await store.beginPlaceTests([one, other], 1_000);
    await store.beginPlaceTests([one], 1_000);

    const taken = [await store.takePlaceTests('telegram', 1_001), await store.takePlaceTests('telegram', 1_002)];
    await store.beginPlaceTests([old], 1_000);
    const tooLate = await store.takePlaceTests('telegram', 16_000);
    const ended = [
      await store.endPlaceTest(id, { kind: 'failed', error: 'gone' }),
      await store.endPlaceTest(id, { kind: 'shown' }),
      await store.endPlaceTest(randomUUID(), { kind: 'shown' }),
    ];

    expect(taken).toEqual([[one], []]);
    expect(tooLate).toEqual([]);
    expect(ended).toEqual([true, true, false]);
    expect(await store.readPlaceTest(id)).toEqual({ ...one, end: { kind: 'failed', error: 'gone' } });
    await store.beginPlaceTests([], 3_602_000);
    expect(await store.readPlaceTest(id)).toBeNull();
  });

  test('given a linked identity, when somebody else links it and is removed, then it is no person’s, and their places are gone', async () => {
    await using given = await open();
    const { store } = given;
    const [ada, ben] = [await person(store, 'ada'), await person(store, 'ben')];
    const identity = { channel: 'telegram', subject: '7', linkedAt: 1 };
    await store.transaction(async (tx) => {
      await tx.saveIdentity({ ...identity, personId: ada.id });
      await tx.saveIdentity({ ...identity, personId: ben.id });
      await tx.savePlace({ ...PLACE, personId: ben.id, projectId: null, createdAt: 1 });
    });

    const before = await store.personOf('telegram', '7');
    const taken = await store.transaction((tx) => tx.insertPerson({ ...ben, id: ada.id }));
    await store.transaction((tx) => tx.deletePerson(ben.id));

    expect(before).toEqual(ben);
    expect(taken).toBe('name-taken');
    expect(await store.personOf('telegram', '7')).toBeNull();
    expect([await store.listPeople(), await store.listIdentities(), await store.listPlaces()]).toEqual([[ada], [], []]);
  });

  test('given a channel that one process has, when another asks, then it gets it after the end of the lease, or when it is given free', async () => {
    await using given = await open();
    const { store } = given;
    const asks = (holder: string, now: number) => store.holdChannel({ ...CLAIM, holder, now, until: now + 10 });

    const outcomes = [await asks('one', 0), await asks('two', 9), await asks('one', 9), await asks('two', 19)];
    await store.releaseChannel('telegram', 'one');
    outcomes.push(await asks('one', 20));
    await store.releaseChannel('telegram', 'two');
    outcomes.push(await asks('one', 20));

    expect(outcomes).toEqual([true, false, true, true, false, true]);
    expect(await store.listChannelLeases()).toEqual([{ channel: 'telegram', holder: 'one', heldUntil: 30 }]);
  });

  test('given an open question, when it is claimed, shown and changed, then it is due once, in one pair of hands, and again for each change', async () => {
    await using given = await open();
    const { store } = given;
    const row = await questionAt(store);
    const key = { ...PLACE, escalationId: row.id, holder: 'one' };

    const first = await store.claimDeliveries(CLAIM, 10);
    const inHand = await store.claimDeliveries(CLAIM, 10);
    const other = await store.claimDeliveries({ ...CLAIM, holder: 'two' }, 10);
    const late = await store.endDelivery(key, { kind: 'shown', version: 1, ref: 'a', pings: 1 }, 60);
    const kept = await store.endDelivery(
      { ...key, holder: 'two' },
      { kind: 'shown', version: 1, ref: 'b', pings: 1 },
      60,
    );
    const nothing = await store.claimDeliveries({ ...CLAIM, now: 1_000, until: 1_100 }, 10);
    await store.transaction(async (tx) => {
      const locked = await tx.lockEscalation(row.id);
      if (locked !== null) await tx.saveEscalation({ ...locked, status: 'acked' });
    });
    const [changed] = await store.claimDeliveries(CLAIM, 10);

    expect(first).toMatchObject([
      { delivery: { shown: 0, ref: null, pingsWanted: 1, pingsGiven: 0 }, escalation: row },
    ]);
    expect([inHand, other.length, late, kept, nothing]).toEqual([[], 1, false, true, []]);
    expect(changed).toMatchObject({ delivery: { shown: 1, ref: 'b', pingsGiven: 1 }, escalation: { version: 2 } });
  });

  test('given a delivery that failed, when its time comes it is due again; one that failed for good is not, until the place is there again', async () => {
    await using given = await open();
    const { store } = given;
    const { id } = await questionAt(store);
    const key = { ...PLACE, escalationId: id, holder: 'one' };
    const fails = async (isFinal: boolean, notBefore: number) => {
      await store.claimDeliveries({ ...CLAIM, now: notBefore - 1_000, until: notBefore - 1_000 }, 10);
      await store.endDelivery(key, { kind: 'failed', error: 'HTTP 500', notBefore, isFinal }, 0);
    };
    const due = async (now: number) => (await store.claimDeliveries({ ...CLAIM, now, until: now }, 10)).length;

    await fails(false, 2_000);
    const counts = [await due(1_999), await due(2_000)];
    await fails(true, 4_000);
    const [failed] = await store.listDeliveries(id);
    const failing = await store.listFailingDeliveries(10);
    counts.push(await due(9_000));
    await store.transaction((tx) => tx.savePlace({ ...PLACE, personId: null, projectId: null, createdAt: 1 }));
    counts.push(await due(9_000));

    expect(counts).toEqual([0, 1, 0, 1]);
    expect(failing).toEqual([failed]);
    expect(await store.listFailingDeliveries(0)).toEqual([]);
    expect(failed).toMatchObject({ failures: 2, error: 'HTTP 500', isFinal: true, holder: null });
  });

  test('given questions that are over, closed to a place or asked again, when work is asked for, then only what concerns the place is due', async () => {
    await using given = await open();
    const { store } = given;
    const row = await questionAt(store);
    const worker = (await store.listWorkers())[0];
    if (worker === undefined) throw new Error('no worker');
    const over = escalation(worker, { id: incident(worker).id, status: 'resolved', dedupeKey: 'over' });
    await store.transaction(async (tx) => {
      await tx.openEscalation(over);
      await tx.wantDelivery(over.id, PLACE, { now: 1 });
      await tx.wantDelivery(row.id, PLACE, { now: 1 });
      await tx.wantDelivery(row.id, { channel: 'telegram', address: 'nowhere' }, { now: 1 });
    });

    const due = await store.claimDeliveries(CLAIM, 10);
    const isGone = await store.transaction((tx) => tx.deletePlace(PLACE));

    expect(due).toMatchObject([{ delivery: { escalationId: row.id, pingsWanted: 2 } }]);
    expect([isGone, await store.transaction((tx) => tx.deletePlace(PLACE))]).toEqual([true, false]);
    expect(await store.listDeliveries(row.id)).toEqual([]);
  });

  test('given calls that were held back, when they are wanted, at first and once more, then they are due together, at their time', async () => {
    await using given = await open();
    const { store } = given;
    const shown = await questionAt(store);
    const worker = (await store.listWorkers())[0] ?? expect.unreachable('there is a worker');
    const fresh = escalation(worker, { id: incident(worker).id, dedupeKey: 'fresh' });
    await store.transaction((tx) => tx.openEscalation(fresh));
    const [known] = await store.claimDeliveries(CLAIM, 10);
    const key = { ...(known?.delivery ?? expect.unreachable('one is due')), holder: CLAIM.holder };
    await store.endDelivery(key, { kind: 'shown', version: shown.version, ref: 'card', pings: 1 }, 1);

    await store.transaction(async (tx) => {
      for (const { id } of [shown, fresh]) await tx.wantDelivery(id, PLACE, { now: 5, notBefore: 5_000 });
    });
    const early = await store.claimDeliveries({ ...CLAIM, now: 4_999, until: 9_000 }, 10);
    const due = await store.claimDeliveries({ ...CLAIM, now: 5_000, until: 9_000 }, 10);

    expect(early).toEqual([]);
    expect(due.map(({ delivery }) => delivery.escalationId).toSorted()).toEqual([shown.id, fresh.id].toSorted());
    expect(due.map(({ delivery: { notBefore, failures } }) => [notBefore, failures])).toEqual([
      [5_000, 0],
      [5_000, 0],
    ]);
  });

  test('given a question that is forgotten, then its deliveries are', async () => {
    await using given = await open();
    const { store } = given;
    const row = await questionAt(store);
    await store.transaction(async (tx) => {
      const locked = await tx.lockEscalation(row.id);
      if (locked !== null) await tx.saveEscalation({ ...locked, status: 'resolved', resolvedAt: 10, updatedAt: 10 });
    });

    await store.transaction((tx) => tx.prune(11, 100));

    expect(await store.listDeliveries(row.id)).toEqual([]);
  });
}

let people = 0;

async function person(store: Store, name: string) {
  people += 1;
  const id = `01900000-0000-7000-9000-${String(people).padStart(12, '0')}`;
  const row = { id, name, role: 'operator', projectId: null, createdAt: 1 } as const;
  await store.transaction((tx) => tx.insertPerson(row));
  return row;
}

/** An open question that a place should show. */
export async function questionAt(store: Store) {
  const row = escalation(await seeded(store));
  await store.transaction(async (tx) => {
    await tx.openEscalation(row);
    await tx.savePlace({ ...PLACE, personId: null, projectId: null, createdAt: 1 });
  });
  await store.wantEverywhere('telegram', 1);
  await store.wantEverywhere('telegram', 2);
  return row;
}

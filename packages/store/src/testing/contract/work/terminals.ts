// Terminals: one person and one machine meet, once, and no other in their place.
import { expect, test } from 'vitest';
import type { OpenStore } from '../open-store.ts';
import { id } from '../seeds.ts';

const NOW = 1_000_000;

/** Declares the tests of terminals that wait. */
export function terminalContract(open: OpenStore): void {
  test('given as many terminals as a token may let wait, when one more is asked for, then it is refused until their time is over', async () => {
    await using opened = await open();
    const { store } = opened;
    const tokenId = id();
    const insert = (now: number, token = tokenId): Promise<boolean> =>
      store.transaction((tx) => {
        const row = { id: id(), workerId: id(), machineId: id(), types: false, expiresAt: now + 30_000 };
        return tx.insertTerminal({ ...row, tokenId: token, secretSha256: row.id }, { now, waitingMax: 2 });
      });

    expect([await insert(NOW), await insert(NOW), await insert(NOW)]).toEqual([true, true, false]);
    expect(await insert(NOW, id())).toBe(true);
    expect(await insert(NOW + 30_000)).toBe(true);
  });
}

/** Declares the tests of ends that meet, which are on SQL alone. */
export function meetingContract(open: OpenStore): void {
  test('given a terminal that was asked for, when its person and its machine come, then each does so once, and others never', async () => {
    await using opened = await open();
    const { store } = opened;
    const row = { id: id(), workerId: id(), machineId: id(), tokenId: id(), types: true, expiresAt: NOW + 30_000 };
    const limits = { now: NOW, waitingMax: 2 };
    expect(await store.transaction((tx) => tx.insertTerminal({ ...row, secretSha256: 'a' }, limits))).toBe(true);
    const join = { secretSha256: 'a', tokenId: row.tokenId, replica: 'r1', now: NOW };
    const meet = { id: row.id, machineId: row.machineId, now: NOW };

    expect(await store.meetTerminal(meet)).toBeNull();
    expect(await store.joinTerminal({ ...join, tokenId: id() })).toBeNull();
    expect(await store.joinTerminal({ ...join, secretSha256: 'b' })).toBeNull();
    expect(await store.joinTerminal({ ...join, now: NOW + 30_000 })).toBeNull();
    expect(await store.joinTerminal(join)).toEqual(row);
    expect(await store.joinTerminal(join)).toBeNull();
    expect(await store.meetTerminal({ ...meet, machineId: id() })).toBeNull();
    expect(await store.meetTerminal({ ...meet, now: NOW + 30_000 })).toBeNull();
    expect(await store.meetTerminal(meet)).toEqual({ ...row, replica: 'r1' });
    expect(await store.meetTerminal(meet)).toBeNull();
  });

  test('given a store, when something is given to another replica, then it takes it', async () => {
    await using opened = await open();

    await expect(opened.store.carry('r2', ['one', 'two'])).resolves.toBeUndefined();
  });
}

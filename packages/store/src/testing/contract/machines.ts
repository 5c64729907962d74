// Tests what every store must do with machines: join, hello, and removal.
import { expect, test } from 'vitest';
import type { MachineCondition, MachineSession } from '../../port/machines.ts';
import type { Store } from '../../port/store.ts';
import { AGENT_EPOCH, command, helloOf, id, sayHello, seeded } from './seeds.ts';
import type { OpenStore } from './open-store.ts';

/** Declares the tests; `open` gives each its own store. */
export function machineContract(open: OpenStore): void {
  test('given a challenge of an epoch, when two hellos use it, then one is greeted, and a third later is not', async () => {
    await using given = await open();
    const { store } = given;
    const { machineId } = await seeded(store);

    const greeted = await Promise.all([1, 2].map(() => store.hello(helloOf(machineId, 1))));
    const replayed = await store.hello(helloOf(machineId, 1));

    expect(greeted.filter((machine) => machine !== null)).toMatchObject([
      { epoch: 2, dialledUrl: 'http://127.0.0.1:1' },
    ]);
    expect(replayed).toBeNull();
  });

  test('given a machine that said hello again, when its older epoch is heard, then nothing more is taken from it', async () => {
    await using given = await open();
    const { store } = given;
    const { machineId } = await seeded(store);

    await sayHello(store, machineId);

    expect(await store.touchMachine(session(machineId, 1), 5)).toBeNull();
    expect(await store.touchMachine(session(machineId, 2), 6)).not.toBeNull();
    expect((await store.readMachine(machineId))?.lastSeenAt).toBe(6);
  });

  test('given a machine that says where checkouts lie, when one is noted twice, then the machine has the newest of each project', async () => {
    await using given = await open();
    const { store } = given;
    const { machineId, projectId } = await seeded(store);
    const places = { workspace: '/w', roots: { shop: '/srv/shop' } };
    const failed = {
      root: '/w/p',
      state: 'failed',
      error: { code: 'c', message: 'm' },
      at: 1_700_000_000_001,
    } as const;
    const ready = { root: '/w/p', state: 'ready', error: null, at: 1_700_000_000_002 } as const;

    const greeted = await store.hello({ ...helloOf(machineId, 1), places });
    await store.transaction((tx) => tx.saveCheckout({ machineId, projectId }, failed));
    const before = await store.readMachine(machineId);
    await store.transaction((tx) => tx.saveCheckout({ machineId, projectId }, ready));

    expect(greeted).toMatchObject({ places, checkouts: {} });
    expect(before?.checkouts).toEqual({ [projectId]: failed });
    expect((await store.listMachines()).map(({ checkouts }) => checkouts)).toEqual([{ [projectId]: ready }]);
    expect(await store.hello({ ...helloOf(machineId, 2), places: null })).toMatchObject({
      places: null,
      checkouts: { [projectId]: ready },
    });
  });

  test('given a revoked machine, when it reports, asks for commands or says hello, then it is refused', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);
    const { machineId } = row;
    const hello = helloOf(machineId, 1);
    await store.hello(hello);
    await store.transaction((tx) => tx.insertCommands([command(row, 1)], 1));
    const token = {
      id: id(),
      name: 'of its worker',
      sha256: 'c'.repeat(64),
      workerId: row.id,
      projectId: row.projectId,
    };
    await store.transaction((tx) => tx.issueWorkerToken(token, 1));

    expect(await store.transaction((tx) => tx.revokeMachine(machineId, 7))).toBe(true);
    await store.transaction((tx) => tx.revokeMachine(machineId, 9));

    expect(await store.apiTokenBySha256(token.sha256)).toBeNull();
    expect(await store.touchMachine(session(machineId, 2), 8)).toBeNull();
    expect(await store.takeCommands(machineId, 2, 10)).toEqual([]);
    expect(await store.machineByToken(hello.accessTokenSha256, 8)).toBeNull();
    expect(await store.hello(helloOf(machineId, 2))).toBeNull();
    expect(await store.readMachine(machineId)).toMatchObject({ revokedAt: 7, accessTokenExpiresAt: null, epoch: 2 });
    expect(await store.transaction((tx) => tx.revokeMachine(id(), 7))).toBe(false);
  });

  test('given a revoked machine, when it joins again, then only a token that was made since lets it in, as the same machine', async () => {
    await using given = await open();
    const { store } = given;
    const { machineId } = await seeded(store);
    await store.createJoinToken({ sha256: 'before', expiresAt: 1_000, now: 5 });
    await store.transaction((tx) => tx.revokeMachine(machineId, 7));
    await store.createJoinToken({ sha256: 'since', expiresAt: 1_000, now: 8 });
    const join = { id: id(), name: 'm', publicKey: 'km', now: 9 };

    expect(await store.joinMachine({ ...join, tokenSha256: 'none' })).toEqual({ kind: 'bad-token' });
    expect(await store.joinMachine({ ...join, tokenSha256: 'before' })).toEqual({ kind: 'bad-token' });
    const twice = await Promise.all([1, 2].map(() => store.joinMachine({ ...join, tokenSha256: 'since' })));

    expect(twice).toEqual([1, 2].map(() => ({ kind: 'joined', machineId })));
    expect((await store.readMachine(machineId))?.revokedAt).toBeNull();
    expect(await store.hello(helloOf(machineId, 1))).not.toBeNull();
  });

  test('given a machine that shall make a new key, when its hello brings one, then it is known by that and by no other', async () => {
    await using given = await open();
    const { store } = given;
    const { machineId } = await seeded(store);

    expect(await store.transaction((tx) => tx.rotateMachine(machineId, 5))).toBe(true);
    const wanted = await store.readMachine(machineId);
    const stillOld = await store.hello(helloOf(machineId, 1));
    const rotated = await store.hello({ ...helloOf(machineId, 2), publicKey: 'new', rotated: true });

    expect(wanted).toMatchObject({ rotateSince: 5, accessTokenExpiresAt: null });
    expect(stillOld).toMatchObject({ rotateSince: 5, publicKey: 'km' });
    expect(rotated).toMatchObject({ rotateSince: null, publicKey: 'new', epoch: 3 });
    expect(await joins(store, 'new')).toEqual({ kind: 'joined', machineId });
    expect(await joins(store, 'km')).toEqual({ kind: 'bad-token' });
  });

  test('given a machine that is to get no new work, when that is noted and taken back, then each reader sees it', async () => {
    await using given = await open();
    const { store } = given;
    const { machineId } = await seeded(store);
    const drain = { id: id(), since: 5, deadline: null, doneAt: null, waits: { adam: 'is at its task' } };
    const cordon = { since: 5, by: 'mia', drain };
    const save = (of: string, kept: typeof cordon | null): Promise<boolean> =>
      store.transaction((tx) => tx.saveCordon(of, kept));

    expect((await store.readMachine(machineId))?.cordon).toBeNull();
    expect(await save(machineId, cordon)).toBe(true);
    expect((await store.readMachine(machineId))?.cordon).toEqual(cordon);
    expect((await store.listMachines()).map((one) => one.cordon)).toContainEqual(cordon);
    expect((await store.hello(helloOf(machineId, 1)))?.cordon).toEqual(cordon);
    expect(await save(id(), cordon)).toBe(false);
    expect(await save(machineId, null)).toBe(true);
    expect((await store.readMachine(machineId))?.cordon).toBeNull();
  });

  test('given a machine that says how it is, when it is heard, then each reader sees that, and a sign of life without it keeps it', async () => {
    await using given = await open();
    const { store } = given;
    const { machineId } = await seeded(store);
    const { epoch, agentEpoch } = (await store.readMachine(machineId)) ?? { epoch: 0, agentEpoch: null };
    const session = { machineId, epoch, agentEpoch };
    const condition: MachineCondition = {
      at: 7,
      clockOffsetMs: -1_500,
      programs: [{ of: 'profile', name: 'claude', state: 'present', version: '2.1.0' }],
      processors: 8,
      load: 1.25,
      memory: { bytes: 16e9, freeBytes: 4e9 },
      disk: null,
    };

    expect((await store.readMachine(machineId))?.condition).toBeNull();
    expect(await store.touchMachine(session, 7, condition)).not.toBeNull();
    expect(await store.touchMachine(session, 8)).not.toBeNull();
    expect(await store.readMachine(machineId)).toMatchObject({ lastSeenAt: 8, condition });
    expect((await store.listMachines()).map((one) => one.condition)).toContainEqual(condition);
    expect(await store.countMachines()).toBe((await store.listMachines()).length);
    expect(await store.touchMachine({ ...session, epoch: epoch + 1 }, 9, { ...condition, at: 9 })).toBeNull();
    expect((await store.readMachine(machineId))?.condition).toEqual(condition);
    expect((await store.hello(helloOf(machineId, epoch)))?.condition).toEqual(condition);
  });

  test('given a machine with labels and a capacity, when they are changed, then each reader sees it, and a hello keeps them', async () => {
    await using given = await open();
    const { store } = given;
    const { machineId } = await seeded(store);
    const terms = { labels: ['eu', 'gpu'], capacity: 2, address: 'ada@big:2222' };

    expect(await store.readMachine(machineId)).toMatchObject({ labels: [], capacity: null, address: null });
    expect(await store.transaction((tx) => tx.saveTerms(machineId, terms))).toBe(true);
    expect(await store.readMachine(machineId)).toMatchObject(terms);
    expect(await store.hello(helloOf(machineId, 1))).toMatchObject(terms);
    expect(await store.transaction((tx) => tx.saveTerms(id(), terms))).toBe(false);
    expect(
      await store.transaction((tx) => tx.saveTerms(machineId, { labels: [], capacity: null, address: null })),
    ).toBe(true);
    expect(await store.readMachine(machineId)).toMatchObject({ labels: [], capacity: null });
  });

  test('given a machine with a worker, when it is removed, then only once the worker is gone', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);
    const { machineId } = row;
    await store.transaction((tx) => tx.insertCommands([command(row, 1)], 1));

    expect(await store.transaction((tx) => tx.removeMachine(machineId))).toBe(false);
    await store.transaction((tx) => tx.deleteWorker(row.id));
    expect(await store.transaction((tx) => tx.removeMachine(machineId))).toBe(true);

    expect(await store.readMachine(machineId)).toBeNull();
    expect(await store.touchMachine(session(machineId, 1), 8)).toBeNull();
    expect(await store.hello(helloOf(machineId, 1))).toBeNull();
  });
}

function joins(store: Store, publicKey: string): ReturnType<Store['joinMachine']> {
  return store.joinMachine({ id: id(), name: 'other', publicKey, tokenSha256: 'none', now: 9 });
}

function session(machineId: string, epoch: number): MachineSession {
  return { machineId, epoch, agentEpoch: AGENT_EPOCH };
}

/** Declares the test of the fleet's seed, which is on SQL alone. */
export function seedContract(open: OpenStore): void {
  test('given two replicas that start, when each brings a key of its own, then both get the one that was first', async () => {
    await using given = await open();
    const { store } = given;

    const seeds = await Promise.all([store.fleetSeed('one', 1), store.fleetSeed('other', 1)]);

    expect(seeds[0]).toBe(seeds[1]);
    expect(await store.fleetSeed('third', 2)).toBe(seeds[0]);
  });
}

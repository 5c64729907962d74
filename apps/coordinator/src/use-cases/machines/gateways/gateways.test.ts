/** Leases of machines over SSH, and trust in their keys: also where gateways lie, replay, and come at once. */
import { randomUUID } from 'node:crypto';
import type { StoreTransaction, WorkerRow } from '@drover/store';
import { expect, test } from 'vitest';
import { ADA, fleet } from '../../../testing/gateway-fleet.ts';
import { machineNews } from '../lost.ts';
import { addMachine, listGateways, trustMachine } from './people.ts';
import { fingerprintOf } from '../../../facts/machines/trust.ts';

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA==';
const OTHER_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIQ==';
const LEASE_MS = 30_000;

test('given two gateways, when both take a machine at once, then one serves it, and the other sees nothing of it', async () => {
  const { add, say, take, far } = await fleet();
  await add();
  const { id } = await far();

  const free = [(await say('home')).free, (await say('office')).free];
  const answers = await Promise.all([take('home'), take('office')]);

  expect(free).toEqual([[id], [id]]);
  expect(answers.map(({ serve }) => serve.length).toSorted()).toEqual([0, 1]);
  expect(await far()).toMatchObject({ epoch: 1 });
});

test('given a gateway that ended, when its lease is over, then another takes the machine with a higher epoch and a key of its own', async () => {
  const { add, say, take, far, nature, report } = await fleet();
  await add();
  await take('home');
  nature.now += LEASE_MS - 1;
  const early = await take('office');
  nature.now += 1;

  const late = await take('office');
  const replayed = await report('home', { kind: 'connected', hostId: 'h', keys: [] }, 1);

  expect(early.serve).toEqual([]);
  expect(late.serve).toMatchObject([{ name: 'far', epoch: 2 }]);
  expect(replayed.serve).toEqual([]);
  expect(await far()).toMatchObject({ epoch: 2, publicKey: 'office for far', state: null, hostId: null });
  expect((await say('home')).free).toEqual([]);
});

test('given a gateway that says how its machine is, when the first lease would be over, then the machine is still its own', async () => {
  const { add, say, take, report, nature } = await fleet();
  await add();
  await take('home');
  nature.now += LEASE_MS - 1;
  await report('home', { kind: 'connecting' });
  nature.now += LEASE_MS - 1;

  expect((await say('office')).free).toEqual([]);
});

test('given a gateway that does not reach its machine any more, when another asks after a lease, then that takes it, and where it does not reach it either they try in turn, ever more seldom', async () => {
  const { add, say, take, far, nature, report } = await fleet();
  await add();
  await take('home');
  await report('home', { kind: 'connected', hostId: 'h', keys: [] });
  /** Lets the gateway that holds the machine try again and again. @returns milliseconds until the other takes it. */
  const untilTakenFrom = async (holder: string, other: string): Promise<number> => {
    const from = nature.now;
    while ((await far()).gateway?.name === holder) {
      await report(holder, { kind: 'connecting' });
      await report(holder, { kind: 'lost', code: 'unreachable', why: 'no route', retry: true });
      nature.now += LEASE_MS / 3;
      if ((await say(other)).free.length > 0) await take(other);
    }
    return nature.now - from;
  };

  const waits = [await untilTakenFrom('home', 'office'), await untilTakenFrom('office', 'home')];
  await report('home', { kind: 'connected', hostId: 'h', keys: [] });
  nature.now += LEASE_MS - 1;
  await report('home', { kind: 'connected', hostId: 'h', keys: [] });

  expect(waits).toEqual([LEASE_MS, 2 * LEASE_MS]);
  expect((await say('office')).free).toEqual([]);
  expect(await far()).toMatchObject({ epoch: 3, away: null });
});

test('given a gateway that leaves, when it says so, then another takes the machine at once', async () => {
  const { add, say, take, far } = await fleet();
  await add();
  await take('home');
  const { id, epoch } = await far();

  await say('home', { leaving: true, hosts: [{ machineId: id, epoch, state: { kind: 'connecting' }, findings: [] }] });

  expect((await say('office')).free).toEqual([id]);
});

test('given a gateway that was started again, when it says nothing of its machine, then it may take it again, and the other may not', async () => {
  const { add, say, take, far } = await fleet();
  await add();
  await take('home');
  const { id } = await far();

  expect((await say('office')).free).toEqual([]);
  expect((await say('home')).free).toEqual([id]);
  expect((await take('home')).serve).toMatchObject([{ epoch: 2 }]);
});

test('given a machine that one gateway alone may serve, when another asks for it or speaks of it, then it gets nothing and is not heard', async () => {
  const { add, say, take, far, report } = await fleet();
  await add({ gateway: 'office' });

  expect((await say('home')).free).toEqual([]);
  expect((await take('home')).serve).toEqual([]);
  await report('home', { kind: 'key-unknown', key: KEY, isKnown: true }, 0);
  expect(await far()).toMatchObject({ pinned: [], gateway: null });
  expect((await take('office')).serve).toHaveLength(1);
});

test('given the agent of a machine, when it takes a machine over SSH, then it is refused', async () => {
  const { add, take, far } = await fleet();
  await add();

  await expect(take('laptop')).rejects.toThrow('no-gateway');
  expect(await far()).toMatchObject({ epoch: 0, gateway: null });
});

test('given a machine with an agent of its own, when a gateway takes it, then it keeps its key', async () => {
  const { store, say } = await fleet();
  const [laptop] = await store.listMachines();

  const answer = await say('home', { take: [{ machineId: laptop?.id ?? '', publicKey: 'stolen' }] });

  expect(answer.serve).toEqual([]);
  expect((await store.listMachines())[0]?.publicKey).toBe('key of laptop');
});

test('given an unknown key, when a person confirms the one that they saw, then it alone is pinned, and that is audited', async () => {
  const { ctx, add, take, report, far, audit } = await fleet();
  await add();
  await take('home');
  await report('home', { kind: 'key-unknown', key: KEY, isKnown: false });

  const before = await far();
  const other = await trustMachine(ctx, { name: 'far', fingerprint: fingerprintOf(OTHER_KEY) }, ADA);
  const trusted = await trustMachine(ctx, { name: 'far', fingerprint: fingerprintOf(KEY) }, ADA);

  expect(before.pinned).toEqual([]);
  expect(other).toMatchObject({ kind: 'refused', code: 'not-shown' });
  expect(trusted).toMatchObject({ kind: 'ok' });
  expect(await far()).toMatchObject({ pinned: [KEY] });
  expect(await audit()).toEqual(expect.arrayContaining(['machine-key-pinned', 'machine-trusted']));
});

test('given a key that was swapped between the look and the confirmation, when the person confirms, then nothing is trusted', async () => {
  const { ctx, add, take, report, far } = await fleet();
  await add();
  await take('home');
  await report('home', { kind: 'key-unknown', key: KEY, isKnown: false });
  await report('home', { kind: 'key-unknown', key: OTHER_KEY, isKnown: false });

  const trusted = await trustMachine(ctx, { name: 'far', fingerprint: fingerprintOf(KEY) }, ADA);

  expect(trusted).toMatchObject({
    kind: 'refused',
    message: expect.stringContaining(`now shows ${fingerprintOf(OTHER_KEY)}`),
  });
  expect((await far()).pinned).toEqual([]);
});

test.each([
  ['that was named ahead', { hostKey: fingerprintOf(KEY) }, { key: KEY, isKnown: false }, [KEY]],
  [
    'that is not the one named ahead, though the files know it',
    { hostKey: fingerprintOf(KEY) },
    { key: OTHER_KEY, isKnown: true },
    [],
  ],
  ['that the files of known hosts have', {}, { key: KEY, isKnown: true }, [KEY]],
])('given a key %s, when it is shown first, then what is pinned is right', async (_what, named, shown, pinned) => {
  const { add, take, report, far } = await fleet();
  await add(named);
  await take('home');

  await report('home', { kind: 'key-unknown', ...shown });

  expect((await far()).pinned).toEqual(pinned);
});

test('given a machine with a pinned key, when it shows another, then it is stopped, nothing is pinned, and a person is told both', async () => {
  const { ctx, add, take, report, far, audit } = await fleet();
  await add({ hostKey: fingerprintOf(KEY) });
  await take('home');
  await report('home', { kind: 'key-unknown', key: KEY, isKnown: false });
  await report('home', { kind: 'connected', hostId: 'h', keys: [] });

  await report('home', { kind: 'key-changed', key: OTHER_KEY });
  const stopped = await far();
  const machine = await ctx.store.readMachine(stopped.id);
  const heard = { readMachine: () => Promise.resolve({ ...machine, lastSeenAt: 1 }) } as unknown as StoreTransaction;
  const news = await machineNews(ctx, heard, { machineId: stopped.id } as WorkerRow);
  const again = await addMachine(
    ctx,
    { name: 'far', connection: stopped.connection, gateway: null, hostKey: fingerprintOf(OTHER_KEY), capacity: null },
    ADA,
  );

  expect(stopped).toMatchObject({ pinned: [KEY], state: { kind: 'key-changed' } });
  expect(again).toMatchObject({
    value: { machine: { ssh: { fingerprint: fingerprintOf(OTHER_KEY), pinned: [fingerprintOf(KEY)], isFinal: true } } },
  });
  expect(again).toMatchObject({ value: { machine: { ssh: { why: expect.stringContaining(fingerprintOf(KEY)) } } } });
  expect(news).toMatchObject({ why: expect.stringContaining('"drover machine trust far" confirms it') });
  expect((await far()).pinned).toEqual([KEY]);
  expect(await audit()).toContain('machine-stopped');
});

test('given a host that another machine of the fleet is already, when it is reached, then it is refused and no gateway takes it', async () => {
  const { add, take, report, far, say, store } = await fleet();
  await add({ hostKey: fingerprintOf(KEY) });
  await take('home');
  await report('home', { kind: 'connected', hostId: 'h', keys: [] });
  const first = await far();
  await store.transaction(async (tx) => {
    const ssh = { ...first, hostId: null, gateway: null, epoch: 0 };
    await tx.addSshMachine({ id: randomUUID(), name: 'copy', ssh, labels: [], capacity: null, address: null, now: 1 });
  });
  const copy = (await store.listMachines()).find(({ name }) => name === 'copy');
  const machineId = copy?.id ?? '';
  await say('office', { take: [{ machineId, publicKey: 'office for copy' }] });

  await say('office', {
    hosts: [{ machineId, epoch: 1, state: { kind: 'connected', hostId: 'h', keys: [] }, findings: [] }],
  });

  expect((await store.readMachine(machineId))?.ssh).toMatchObject({ gateway: null, state: { code: 'same-host' } });
  expect((await say('office')).free).not.toContain(machineId);
});

test('given a machine that is served, when the gateways are listed, then each is shown with what it serves', async () => {
  const { ctx, add, take } = await fleet();
  await add();
  await take('office');

  expect(await listGateways(ctx)).toMatchObject([
    { name: 'home', machines: [] },
    { name: 'office', machines: ['far'] },
  ]);
});

test('given a host that lacked something, when it is added again, then the former verdict is gone and the host is looked at once more', async () => {
  const { add, take, report, far } = await fleet(['home']);
  await add({ hostKey: fingerprintOf(KEY) });
  await take('home');
  await report('home', { kind: 'key-unknown', key: KEY, isKnown: false });
  await report('home', { kind: 'lacks' });

  await add({ hostKey: fingerprintOf(KEY) });
  const when = await far();
  await report('home', { kind: 'lacks' });

  expect(when).toMatchObject({ state: null, findings: [], gateway: null, pinned: [KEY] });
  expect(await far()).toMatchObject({ state: null });
  await take('home');
  expect(await far()).toMatchObject({ epoch: when.epoch + 1 });
});

test('given a host that showed another key, when it is added again, then it is looked at once more and its own key stays the only one', async () => {
  const { add, take, report, far } = await fleet(['home']);
  await add({ hostKey: fingerprintOf(KEY) });
  await take('home');
  await report('home', { kind: 'key-unknown', key: KEY, isKnown: false });
  await report('home', { kind: 'key-changed', key: OTHER_KEY });

  await add({ hostKey: fingerprintOf(KEY) });

  expect(await far()).toMatchObject({ state: null, gateway: null, pinned: [KEY] });
});

test('given the name of a gateway, when a host is added under it, then it is refused with the command that removes the gateway', async () => {
  const { add } = await fleet(['home']);

  expect(await add({ name: 'home' })).toMatchObject({
    code: 'name-taken',
    message: expect.stringContaining('"drover gateway remove home"'),
  });
});

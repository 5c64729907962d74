/** Gateways are revoked, rotated and removed by their names: tests the loss of each, and the machines that another may take. */
import { randomUUID } from 'node:crypto';
import type { Actor } from '@drover/api';
import { PROTOCOL_VERSION, sshConnection } from '@drover/protocol';
import type { GatewayAnswer, GatewayRequest } from '@drover/protocol';
import type { Machine } from '@drover/store';
import { createMemoryStore, MemoryDatabase } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { testContext } from '../../../testing/context.ts';
import { createMachineFleet } from '../machines.ts';
import { serveGateway } from './serve.ts';

const ADA: Actor = { kind: 'person', id: randomUUID(), name: 'ada', role: 'admin', project: null, worker: null };
const NOW = 1_800_000_000_000;
const BUFFER = randomUUID();

/** Builds two gateways, `home` and `office`, and the machine `far`, which `home` serves and has said hello for. */
async function fleet(only: string | null = null) {
  const store = createMemoryStore({ database: new MemoryDatabase(), sleep: () => Promise.resolve(), random: () => 0 });
  const ids = { uuid: () => randomUUID(), secret: () => randomUUID() };
  const ctx = testContext({ store, clock: { now: () => NOW, after: () => () => {} }, ids });
  const machines = createMachineFleet(ctx);
  for (const name of ['home', 'office']) {
    await store.createJoinToken({ sha256: name, expiresAt: NOW + 1, now: NOW, forGateway: true });
    await store.joinMachine({ id: randomUUID(), name, publicKey: `key of ${name}`, tokenSha256: name, now: NOW });
  }
  const gateway = async (name: string): Promise<Machine> => {
    const found = (await store.listGateways()).find((one) => one.name === name);
    if (found === undefined) throw new Error(`there is no gateway ${name}`);
    return found;
  };
  const [home, office] = [await gateway('home'), await gateway('office')];
  const connection = sshConnection.parse({ destination: 'ada@far' });
  await machines.addMachine({ name: 'far', connection, gateway: only, hostKey: null, capacity: null }, ADA);
  const far = async (): Promise<Machine> => {
    const [machine] = await store.listMachines();
    if (machine === undefined) throw new Error('there is no machine');
    return machine;
  };
  const { id } = await far();
  /** Speaks as the gateway as it was let in: its row may have changed since. */
  const say = async (by: Machine, said: Partial<GatewayRequest>): Promise<GatewayAnswer> => {
    const request = { proto: PROTOCOL_VERSION, hosts: [], take: [], revision: '', leaving: false, ...said };
    const served = await serveGateway(ctx, by, request);
    if (served.kind === 'refused') throw new Error(served.error.code);
    return served.answer;
  };
  const take = (by: Machine): Promise<GatewayAnswer> =>
    say(by, { take: [{ machineId: id, publicKey: `${by.name} for far` }] });
  const greet = async (machine: Machine): Promise<Machine | null> =>
    store.hello({
      machineId: machine.id,
      epoch: machine.epoch,
      publicKey: machine.publicKey,
      rotated: false,
      dialledUrl: 'https://c',
      agentEpoch: BUFFER,
      version: '1',
      facts: {},
      places: { workspace: '/w', roots: {} },
      accessTokenSha256: `token of ${machine.name}`,
      accessTokenExpiresAt: NOW + 1_000,
      now: NOW,
    });
  await take(home);
  await greet(home);
  await greet(await far());
  return { store, machines, home, office, far, say, take, greet };
}

/** Actions that must end the gateway's rights. */
const ENDS = [
  ['revoked', (machines: ReturnType<typeof createMachineFleet>) => machines.revokeMachine({ name: 'home' }, ADA)],
  [
    'removed',
    (machines: ReturnType<typeof createMachineFleet>) => machines.removeMachine({ name: 'home', force: false }, ADA),
  ],
] as const;

test.each(ENDS)('given a gateway that serves a machine, when it is %s, then all its access ends', async (_how, end) => {
  const { store, machines, home, far, say, take, greet } = await fleet();
  const before = await far();
  const session = { machineId: before.id, epoch: before.epoch, agentEpoch: before.agentEpoch };
  expect(await store.touchMachine(session, NOW)).not.toBeNull();

  expect(await end(machines)).toMatchObject({ kind: 'ok', value: { machine: { name: 'home' }, workers: [] } });

  expect(await store.machineByToken('token of home', NOW)).toBeNull();
  expect(await store.machineByToken('token of far', NOW)).toBeNull();
  expect(await store.touchMachine(session, NOW)).toBeNull();
  expect(await greet(before)).toBeNull();
  expect((await far()).publicKey).toBe(`none ${before.id}`);
  const hosts = [{ machineId: before.id, epoch: 1, state: { kind: 'connecting' } as const, findings: [] }];
  expect((await say(home, { hosts })).serve).toEqual([]);
  expect((await take(home)).serve).toEqual([]);
  expect((await far()).ssh).toMatchObject({ gateway: null, epoch: 1 });
});

test.each(ENDS)('given two gateways, when one is %s, then the other takes its machine at once', async (_how, end) => {
  const { machines, office, far, take } = await fleet();
  expect((await take(office)).serve).toEqual([]);

  await end(machines);

  expect((await take(office)).serve).toMatchObject([{ name: 'far', epoch: 2 }]);
  expect(await far()).toMatchObject({ publicKey: 'office for far', ssh: { gateway: { name: 'office' } } });
});

test('given a gateway that has left its machine, when it is revoked, then the key that it made for the machine ends, too', async () => {
  const { machines, home, far, say } = await fleet();
  const { id } = await far();
  await say(home, {
    leaving: true,
    hosts: [{ machineId: id, epoch: 1, state: { kind: 'connecting' }, findings: [] }],
  });
  expect((await far()).publicKey).toBe('home for far');

  await machines.revokeMachine({ name: 'home' }, ADA);

  expect((await far()).publicKey).toBe(`none ${id}`);
});

test('given a machine that another gateway serves, when a gateway is revoked, then the machine goes on', async () => {
  const { machines, far } = await fleet();
  const before = await far();

  expect(await machines.revokeMachine({ name: 'office' }, ADA)).toMatchObject({ kind: 'ok' });

  expect(await far()).toEqual(before);
  expect(await machines.listGateways(ADA)).toMatchObject([
    { name: 'home', state: 'connected', machines: ['far'] },
    { name: 'office', state: 'revoked', machines: [] },
  ]);
});

test('given a gateway, when it is rotated, then it must say hello for a new key, and keeps its machine', async () => {
  const { store, machines, home, far } = await fleet();

  expect(await machines.rotateMachine({ name: 'home' }, ADA)).toMatchObject({ kind: 'ok' });

  expect(await store.readMachine(home.id)).toMatchObject({ rotateSince: NOW, accessTokenExpiresAt: null });
  expect((await far()).ssh?.gateway?.name).toBe('home');
});

test('given a gateway that alone may serve a machine, when it is removed, then only --force opens the machine to others', async () => {
  const { machines, office, take } = await fleet('home');

  const refused = await machines.removeMachine({ name: 'home', force: false }, ADA);
  expect(refused).toMatchObject({ code: 'has-machines', message: expect.stringContaining('far') });
  expect(await machines.removeMachine({ name: 'home', force: true }, ADA)).toMatchObject({ kind: 'ok' });
  expect((await take(office)).serve).toMatchObject([{ name: 'far' }]);
});

test('given a gateway, when it is cordoned, drained or labelled, then the answer says that it is a gateway', async () => {
  const { machines } = await fleet();
  const name = 'home';
  const answers = [
    await machines.cordonMachine({ name }, ADA),
    await machines.uncordonMachine({ name }, ADA),
    await machines.drainMachine({ name, requestId: randomUUID(), deadlineMs: null }, ADA),
    await machines.labelMachine({ name, labels: ['gpu'] }, ADA),
  ];

  for (const answer of answers)
    expect(answer).toMatchObject({ code: 'is-gateway', message: expect.stringContaining('is a gateway') });
});

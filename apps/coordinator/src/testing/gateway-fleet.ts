/** Builds a fleet in memory whose machine "far" is reached over SSH by gateways. */
import { randomUUID } from 'node:crypto';
import type { Actor, MachineFleet } from '@drover/api';
import { PROTOCOL_VERSION, sshConnection } from '@drover/protocol';
import type { GatewayAnswer, GatewayRequest, HostState } from '@drover/protocol';
import type { SshMachine } from '@drover/store';
import { createMemoryStore, MemoryDatabase } from '@drover/store/testing';
import { addMachine } from '../use-cases/machines/gateways/people.ts';
import { serveGateway } from '../use-cases/machines/gateways/serve.ts';
import { testContext } from './context.ts';

/** The admin who adds the machine. */
export const ADA: Actor = { kind: 'person', id: randomUUID(), name: 'ada', role: 'admin', project: null, worker: null };
const CONNECTION = sshConnection.parse({ destination: 'ada@far' });
const FAR = { name: 'far', connection: CONNECTION, gateway: null, hostKey: null, capacity: null } as const;

/** Builds gateways by their names, and an agent's machine "laptop". */
export async function fleet(names: readonly string[] = ['home', 'office']) {
  const nature = { now: 1_800_000_000_000 };
  const store = createMemoryStore({ database: new MemoryDatabase(), sleep: () => Promise.resolve(), random: () => 0 });
  const ctx = testContext({
    store,
    clock: { now: () => nature.now, after: () => () => {} },
    ids: { uuid: () => randomUUID(), secret: () => 'secret' },
  });
  const join = async (name: string, forGateway: boolean): Promise<string> => {
    const id = randomUUID();
    await store.createJoinToken({ sha256: name, expiresAt: nature.now + 1, now: nature.now, forGateway });
    await store.joinMachine({ id, name, publicKey: `key of ${name}`, tokenSha256: name, now: nature.now });
    return id;
  };
  const ids = new Map<string, string>();
  for (const name of names) ids.set(name, await join(name, true));
  ids.set('laptop', await join('laptop', false));
  const say = async (
    name: string,
    said: Partial<Pick<GatewayRequest, 'hosts' | 'take' | 'leaving'>> = {},
  ): Promise<GatewayAnswer> => {
    const gateway = await store.readMachine(ids.get(name) ?? '');
    if (gateway === null) throw new Error(`no gateway ${name}`);
    const request = { proto: PROTOCOL_VERSION, hosts: [], take: [], revision: '', leaving: false, ...said };
    const served = await serveGateway(ctx, gateway, request);
    if (served.kind === 'refused') throw new Error(served.error.code);
    return served.answer;
  };
  const add = (more: Partial<Parameters<MachineFleet['addMachine']>[0]> = {}) =>
    addMachine(ctx, { ...FAR, ...more }, ADA);
  const far = async (): Promise<SshMachine & { id: string; publicKey: string }> => {
    const row = (await store.listMachines()).find(({ name }) => name === 'far');
    if (row?.ssh == null) throw new Error('there is no machine "far"');
    return { ...row.ssh, id: row.id, publicKey: row.publicKey };
  };
  const take = async (name: string): Promise<GatewayAnswer> =>
    say(name, { take: [{ machineId: (await far()).id, publicKey: `${name} for far` }] });
  const report = async (name: string, state: HostState, epoch?: number): Promise<GatewayAnswer> => {
    const { id, epoch: now } = await far();
    return say(name, { hosts: [{ machineId: id, epoch: epoch ?? now, state, findings: [] }] });
  };
  const audit = async (): Promise<readonly string[]> =>
    (await store.listAudit({ limit: 50 })).map(({ body }) => (JSON.parse(body) as { action: string }).action);
  return { ctx, store, nature, say, add, far, take, report, audit };
}

/** Handles people's requests about machines over SSH: add one, confirm its key, list the gateways. */
import { canonical } from '@drover/core';
import type { Actor, GatewayView, MachineFleet, MachineRequestView, Outcome, Refusal } from '@drover/api';
import type { Machine, SshMachine, StoreTransaction } from '@drover/store';
import { judged } from '../../../context/context.ts';
import type { Context } from '../../../context/context.ts';
import { aboutMachine, changeMachine, findMachine, viewOf } from '../change.ts';
import { machineState } from '../../../context/leases.ts';
import { causeOf } from '../../../facts/people/causes.ts';
import { lockedSsh } from './serve.ts';
import { fingerprintOf, shownKey } from '../../../facts/machines/trust.ts';

type AddInput = Parameters<MachineFleet['addMachine']>[0];

/** Adds a machine. Continues with a machine that was added in the same way, so that a command that broke off can be repeated. */
export async function addMachine(ctx: Context, input: AddInput, by: Actor): Promise<Outcome<MachineRequestView>> {
  const { name, connection, gateway, hostKey, capacity, labels = [] } = input;
  const gateways = await ctx.store.listGateways();
  const only = gateway === null ? null : (gateways.find((one) => one.name === gateway) ?? undefined);
  if (only === undefined) return noGateway(gateway ?? '', gateways);
  const ssh: SshMachine = {
    connection,
    onlyGateway: only === null ? null : { id: only.id, name: only.name },
    expected: hostKey,
    pinned: [],
    hostId: null,
    gateway: null,
    epoch: 0,
    state: null,
    away: null,
    findings: [],
  };
  const id = ctx.ids.uuid();
  const address = addressOf(connection);
  const isAdded = await ctx.store.transaction(async (tx) => {
    if (!(await tx.addSshMachine({ id, name, ssh, labels, capacity, address, now: ctx.clock.now() }))) return false;
    const details = { connection, gateway, hostKey };
    await tx.audit(aboutMachine(ctx, { id, name }, { by: causeOf(by), action: 'machine-added', details }));
    return true;
  });
  if (!isAdded) {
    const refused = await goOn(ctx, { wanted: ssh, name }, by);
    if (refused !== null) return refused;
  }
  for (const one of gateways) ctx.hints.commands(one.id);
  const found = await findMachine(ctx, name);
  if (found.kind === 'refused') return found;
  return { kind: 'ok', value: { machine: viewOf(ctx, found.roster, found.machine), workers: [] } };
}

/** Continues with the same machine, perhaps with a fingerprint that was not named before. @returns a refusal; null: continues. */
async function goOn(
  ctx: Context,
  { wanted, name }: { readonly wanted: SshMachine; readonly name: string },
  by: Actor,
): Promise<Refusal | null> {
  const found = await findMachine(ctx, name);
  if (found.kind === 'refused') return nameTaken(name, found.code === 'is-gateway' ? 'gateway' : 'machine');
  return ctx.store.transaction(async (tx) => {
    const before = await lockedSsh(tx, found.machine.id);
    const isSame =
      before !== null &&
      canonical(before.ssh.connection) === canonical(wanted.connection) &&
      before.ssh.onlyGateway?.id === wanted.onlyGateway?.id;
    if (!isSame) return nameTaken(name, 'machine');
    const { ssh } = before;
    const key = shownKey(ssh);
    const isKeyNamed = key !== null && fingerprintOf(key) === wanted.expected;
    // A pinned key stays: "drover machine trust" changes it.
    if (ssh.pinned.length === 0 && isKeyNamed) await pin(ctx, tx, { machine: before, key, by });
    else {
      const next = isStopped(ssh) && !isKeyNamed ? askedAgain(ssh) : ssh;
      const isExpected = ssh.pinned.length === 0 && wanted.expected !== null;
      await tx.saveSsh(before.id, isExpected ? { ...next, expected: wanted.expected } : next);
    }
    return null;
  });
}

/**
 * Tells whether the machine has stopped, so that no gateway gets further: a missing part may be there now, and the host may show its own
 * key again.
 */
function isStopped({ state }: SshMachine): boolean {
  return state !== null && state.kind !== 'connecting' && state.kind !== 'connected';
}

/** Makes a gateway check the host once more under a new epoch: earlier findings are over, and reports of them are ignored. */
function askedAgain(ssh: SshMachine): SshMachine {
  return { ...ssh, state: null, findings: [], gateway: null };
}

interface Pinned {
  readonly machine: Machine & { readonly ssh: SshMachine };
  readonly key: string;
  readonly by: Actor;
}

/** Pins this key: from now on the machine is known by it alone. */
async function pin(ctx: Context, tx: StoreTransaction, { machine, key, by }: Pinned): Promise<void> {
  const { id, ssh } = machine;
  const state = { kind: 'connecting', since: ctx.clock.now() } as const;
  await tx.saveSsh(id, { ...ssh, pinned: [key], expected: null, state });
  const details = { by: 'named', fingerprints: [fingerprintOf(key)], before: ssh.pinned.map(fingerprintOf) };
  await tx.audit(aboutMachine(ctx, machine, { by: causeOf(by), action: 'machine-key-pinned', details }));
}

function nameTaken(name: string, noun: 'machine' | 'gateway'): Refusal {
  const message = `Another ${noun} has the name "${name}": choose one with --name, or remove that one with "drover ${noun} remove ${name}"`;
  return { kind: 'refused', code: 'name-taken', message };
}

function noGateway(name: string, gateways: readonly { readonly name: string }[]): Refusal {
  const known =
    gateways.length === 0
      ? 'none has joined: run "drover up" or "drover server gateway"'
      : `there are: ${gateways.map((one) => one.name).join(', ')}`;
  return { kind: 'refused', code: 'not-found', message: `There is no gateway "${name}"; ${known}` };
}

/** Builds the address for "drover attach", which goes there by the person's own ssh. */
function addressOf({ destination, port }: AddInput['connection']): string {
  const [user, host = ''] = destination.includes('@') ? destination.split('@') : [undefined, destination];
  const shown = host.includes(':') ? `[${host}]` : host;
  return `${user === undefined ? '' : `${user}@`}${shown}${port === null ? '' : `:${port}`}`;
}

/** Pins the host's key, if it is the key that the person has seen: the key may have changed since. */
export async function trustMachine(
  ctx: Context,
  { name, fingerprint }: Parameters<MachineFleet['trustMachine']>[0],
  by: Actor,
): Promise<Outcome<MachineRequestView>> {
  const outcome = await changeMachine(ctx, by, {
    name,
    action: 'machine-trusted',
    details: { fingerprint },
    change: async (tx, { id }) => {
      const machine = await lockedSsh(tx, id);
      if (machine === null) return notOverSsh(name);
      const key = shownKey(machine.ssh);
      if (key === null || fingerprintOf(key) !== fingerprint) return notShown(name, key);
      await pin(ctx, tx, { machine, key, by });
      return true;
    },
  });
  for (const one of await ctx.store.listGateways()) ctx.hints.commands(one.id);
  return outcome;
}

function notOverSsh(name: string): Refusal {
  const message = `"${name}" runs its own agent, not SSH: it has no host key to confirm`;
  return { kind: 'refused', code: 'not-over-ssh', message };
}

function notShown(name: string, key: string | null): Refusal {
  const now =
    key === null
      ? 'it shows no unconfirmed key now'
      : `it now shows ${fingerprintOf(key)}: compare this with the key of the machine`;
  return { kind: 'refused', code: 'not-shown', message: `"${name}" does not show that key; ${now}` };
}

/** Lists all gateways, with the machines that each serves. */
export async function listGateways(ctx: Context): Promise<readonly GatewayView[]> {
  const [gateways, machines] = await Promise.all([ctx.store.listGateways(), ctx.store.listMachines()]);
  const at = judged(ctx);
  return gateways.map((gateway) => ({
    name: gateway.name,
    state: machineState(gateway, at),
    lastSeenAt: gateway.lastSeenAt,
    version: gateway.version,
    machines: machines.filter(({ ssh }) => ssh?.gateway?.id === gateway.id).map(({ name }) => name),
  }));
}

/** Handles gateways' reports and requests: one transaction for each machine, with its row locked. */
import type { AgentError, GatewayAnswer, GatewayRequest } from '@drover/protocol';
import type { Cause, Machine, SshMachine, StoreTransaction } from '@drover/store';
import { judged } from '../../../context/context.ts';
import type { Context } from '../../../context/context.ts';
import { workerEventDue } from '../../../loop/event-due.ts';
import { aboutMachine } from '../change.ts';
import { signOfLifeMs } from '../../../context/leases.ts';
import { sumOf } from '../../../facts/people/audit-rows.ts';
import { gatewayLock, mayTake, renew, serves, take, type Asking, type Leasing } from './lease.ts';
import { hear } from './report.ts';
import { fingerprintOf } from '../../../facts/machines/trust.ts';

/** Answer to a gateway, or a refusal. */
export type Served =
  | { readonly kind: 'served'; readonly answer: GatewayAnswer }
  | { readonly kind: 'refused'; readonly error: AgentError };

/** Takes a gateway's report on its machines, and gives it the machines that it takes. A machine's own agent is no gateway. */
export async function serveGateway(ctx: Context, gateway: Machine, request: GatewayRequest): Promise<Served> {
  if (!gateway.isGateway) {
    const message = `"${gateway.name}" joined as a machine, not as a gateway: join with a token of "drover machine invite --gateway"`;
    return { kind: 'refused', error: { code: 'no-gateway', message } };
  }
  for (const host of request.hosts) await report(ctx, gateway, { ...host, isLeaving: request.leaving });
  for (const wanted of request.take) await takeMachine(ctx, gateway, wanted);
  return { kind: 'served', answer: await answerTo(ctx, gateway, request) };
}

/** Builds the answer from the rows as they are now: read again while a gateway waits for news. */
export async function answerTo(ctx: Context, gateway: Asking, request: GatewayRequest): Promise<GatewayAnswer> {
  const at = leasing(ctx);
  const machines = (await ctx.store.listMachines()).flatMap((machine) =>
    machine.ssh === null || machine.revokedAt !== null ? [] : [{ ...machine, ssh: machine.ssh }],
  );
  const isServed = ({ id, ssh }: (typeof machines)[number]): boolean =>
    request.hosts.some((host) => host.machineId === id && serves(ssh, gateway, host.epoch)) ||
    request.take.some(({ machineId }) => machineId === id);
  const serve = machines
    .filter(({ ssh }) => ssh.gateway?.id === gateway.id && ssh.gateway.until > at.now)
    .map(({ id, name, ssh: { epoch, connection, pinned, hostId } }) => {
      return { machineId: id, name, epoch, connection, pinned: [...pinned], hostId };
    });
  return {
    serve,
    free: machines
      .filter((machine) => mayTake(machine.ssh, gateway, { ...at, isServed: isServed(machine) }))
      .map(({ id }) => id),
    revision: sumOf(serve),
    intervalMs: signOfLifeMs(judged(ctx).leases),
  };
}

/** Tells whether the answer holds news for the gateway: then the answer does not wait. */
export function isNews({ free, revision }: GatewayAnswer, known: GatewayRequest): boolean {
  return free.length > 0 || revision !== known.revision;
}

function leasing(ctx: Context): Leasing {
  const { now, leases } = judged(ctx);
  return { now, leaseMs: leases.suspectAfterMs };
}

async function report(
  ctx: Context,
  gateway: Machine,
  host: GatewayRequest['hosts'][number] & { readonly isLeaving: boolean },
): Promise<void> {
  const { now } = leasing(ctx);
  const heard = await ctx.store.transaction(async (tx) => {
    const before = await lockedSsh(tx, host.machineId);
    // A report about another gateway's machine, or under an old epoch, changes nothing.
    if (before === null || !serves(before.ssh, gateway, host.epoch)) return null;
    const { ssh } = before;
    const hostId = 'hostId' in host.state ? host.state.hostId : null;
    const others = hostId === null || hostId === ssh.hostId ? [] : await tx.listMachines();
    const same = others.find(({ id, ssh: other }) => id !== host.machineId && other?.hostId === hostId);
    if (hostId !== null && ssh.hostId !== null && hostId !== ssh.hostId) return null;
    const result = hear(ssh, host, { now, sameHost: same?.name });
    const renewed = host.isLeaving
      ? { ...result.ssh, gateway: null }
      : result.ssh.gateway === null
        ? result.ssh
        : renew(result.ssh, leasing(ctx));
    await tx.saveSsh(host.machineId, renewed);
    if (result.pinning !== null) {
      const { by, pinned } = result.pinning;
      const details = { by, gateway: gateway.name, fingerprints: pinned.map(fingerprintOf) };
      await tx.audit(aboutMachine(ctx, before, { by: causeOf(gateway), action: 'machine-key-pinned', details }));
    }
    if (result.hasStopped) {
      const details = { gateway: gateway.name, state: result.ssh.state?.kind ?? '', ...shownBy(result.ssh) };
      await tx.audit(aboutMachine(ctx, before, { by: causeOf(gateway), action: 'machine-stopped', details }));
      const workers = await tx.listRoster({ machineId: host.machineId });
      await tx.schedule(workers.map(({ id }) => workerEventDue(id, 'machine', now)));
    }
    return { ...result, name: before.name };
  });
  if (heard === null) {
    ctx.log('debug', `The gateway "${gateway.name}" reported on a machine that it does not serve`, {
      ...host,
      findings: [],
    });
    return;
  }
  if (!heard.hasStopped) return;
  ctx.log('warn', `Drover does not use the machine "${heard.name}" until a person has checked it`, {
    state: heard.ssh.state,
  });
  ctx.hints.due(now);
}

function shownBy({ state, pinned }: SshMachine): Readonly<Record<string, unknown>> {
  if (state?.kind !== 'key-changed') return {};
  return { shown: fingerprintOf(state.key), pinned: pinned.map(fingerprintOf) };
}

async function takeMachine(
  ctx: Context,
  gateway: Machine,
  { machineId, publicKey }: GatewayRequest['take'][number],
): Promise<void> {
  const taken = await ctx.store.transaction(async (tx) => {
    await tx.lockName(gatewayLock(gateway.id));
    // The gateway may have been revoked or removed since it was let in.
    if ((await tx.readMachine(gateway.id))?.revokedAt !== null) return null;
    const before = await lockedSsh(tx, machineId);
    const at = leasing(ctx);
    if (before === null || before.revokedAt !== null || publicKey === gateway.publicKey) return null;
    if (!mayTake(before.ssh, gateway, { ...at, isServed: false })) return null;
    const ssh = take(before.ssh, gateway, at);
    await tx.handMachineOver(machineId, publicKey);
    await tx.saveSsh(machineId, ssh);
    const details = { gateway: gateway.name, epoch: ssh.epoch, before: before.ssh.gateway?.name ?? null };
    await tx.audit(aboutMachine(ctx, before, { by: causeOf(gateway), action: 'machine-taken', details }));
    return { name: before.name, epoch: ssh.epoch };
  });
  if (taken !== null)
    ctx.log('info', `The gateway "${gateway.name}" now serves the machine "${taken.name}"`, {
      epoch: taken.epoch,
    });
}

/** Reads and locks the row against other transactions of this kind until the end of this one. */
export async function lockedSsh(
  tx: StoreTransaction,
  machineId: string,
): Promise<(Machine & { readonly ssh: SshMachine }) | null> {
  await tx.lockName(`gateway of ${machineId}`);
  const machine = await tx.readMachine(machineId);
  return machine === null || machine.ssh === null ? null : { ...machine, ssh: machine.ssh };
}

function causeOf({ id, name }: Machine): Cause {
  return { kind: 'machine', id, name };
}

/** Invites a machine, lists machines, removes one, and gives one a new key. */
import type { Actor, InvitationView, MachineFleet, MachineRequestView, Outcome, Refusal } from '@drover/api';
import { invitationText } from '@drover/protocol';
import type { Cause, Machine, StoreTransaction } from '@drover/store';
import { audited } from '../../facts/people/audit-rows.ts';
import { causeOf, POLICY } from '../../facts/people/causes.ts';
import { sha256 } from '../../context/sha256.ts';
import type { Context } from '../../context/context.ts';
import { machineView } from './view.ts';
import { handleEvent } from '../../loop/handle-events.ts';
import { tellRevoked } from '../../loop/runs/machines.ts';
import { heldMachine } from '../../facts/machines/closed.ts';
import { cordon, drain, uncordon } from './drains/cordon.ts';
import { addMachine, listGateways, trustMachine } from './gateways/people.ts';
import { releaseMachines } from './gateways/release.ts';
import { workersTo } from '../../facts/placement/spots.ts';
import { readRoster } from '../../facts/workers/find.ts';
import { label } from './label.ts';
import { aboutMachine, changeMachine, findMember, notFound, viewOf } from './change.ts';

export function createMachineFleet(ctx: Context): MachineFleet {
  return {
    listMachines: async (by) => {
      const roster = await readRoster(ctx, by);
      const { machines, workers } = roster;
      const workersOf = (id: string): number => workers.filter(({ machineId }) => machineId === id).length;
      // A project sees the machines that its workers are on.
      return machines
        .filter(({ id }) => by.project === null || workersOf(id) > 0)
        .map((machine) =>
          machineView(machine, {
            workers: workersOf(machine.id),
            judged: roster,
            policy: ctx.policy,
            machines,
            minVersion: ctx.minVersion,
          }),
        );
    },
    invite: ({ ttlMs, gateway }, by) => invite(ctx, ttlMs, { by: causeOf(by), forGateway: gateway }),
    addMachine: (input, by) => addMachine(ctx, input, by),
    trustMachine: (input, by) => trustMachine(ctx, input, by),
    listGateways: () => listGateways(ctx),
    revokeMachine: ({ name }, by) => revoke(ctx, name, by),
    rotateMachine: ({ name }, by) =>
      changeMachine(ctx, by, {
        name,
        action: 'machine-rotated',
        takesGateways: true,
        change: (tx, machine) => rotate(ctx, tx, machine),
      }),
    cordonMachine: ({ name }, by) => cordon(ctx, name, by),
    uncordonMachine: ({ name }, by) => uncordon(ctx, name, by),
    drainMachine: (input, by) => drain(ctx, input, by),
    labelMachine: (input, by) => label(ctx, input, by),
    removeMachine: (input, by) => remove(ctx, input, by),
  };
}

/** Makes a token for one machine or gateway, with the identity that it must pin. */
export async function invite(
  { store, ids, clock, identity, publicUrl }: Context,
  ttlMs: number,
  { by = POLICY, forGateway = false }: { readonly by?: Cause; readonly forGateway?: boolean } = {},
): Promise<InvitationView> {
  const secret = ids.secret();
  const now = clock.now();
  const expiresAt = now + ttlMs;
  const hash = sha256(secret);
  const details = { token: hash.slice(0, 8), expiresAt };
  const action = forGateway ? 'gateway-invited' : 'machine-invited';
  const audit = audited({ at: now, by, action, about: 'fleet', details });
  await store.createJoinToken({ sha256: hash, expiresAt, now, forGateway, audit });
  return {
    token: invitationText({ secret, coordinator: identity.id }),
    coordinator: identity.id,
    expiresAt,
    url: publicUrl ?? null,
  };
}

/** Revokes a machine. A gateway loses the machines that it serves. */
async function revoke(ctx: Context, name: string, by: Actor): Promise<Outcome<MachineRequestView>> {
  const outcome = await changeMachine(ctx, by, {
    name,
    action: 'machine-revoked',
    takesGateways: true,
    change: async (tx, machine) => {
      const isRevoked = await tx.revokeMachine(machine.id, ctx.clock.now());
      if (machine.isGateway) await releaseMachines(ctx, tx, { gateway: machine, by, opens: false });
      else await tellRevoked(ctx, tx, machine.id);
      return isRevoked;
    },
  });
  ctx.hints.due(ctx.clock.now());
  await tellGateways(ctx);
  return outcome;
}

async function tellGateways(ctx: Context): Promise<void> {
  for (const { id } of await ctx.store.listGateways()) ctx.hints.commands(id);
}

async function rotate(
  { clock }: Context,
  tx: StoreTransaction,
  { id, name, revokedAt }: Machine,
): Promise<boolean | Refusal> {
  if (revokedAt === null) return tx.rotateMachine(id, clock.now());
  const message = `"${name}" is revoked and does not connect, so it cannot replace its key: let it in again with "drover machine invite"`;
  return { kind: 'refused', code: 'revoked', message };
}

/** Removes a machine. With `force` its workers are forgotten: their rows go, and nothing of theirs on the machine is touched. */
async function remove(
  ctx: Context,
  { name, force }: { readonly name: string; readonly force: boolean },
  by: Actor,
): Promise<Outcome<MachineRequestView>> {
  const found = await findMember(ctx, name);
  if (found.kind === 'refused') return found;
  const { machine, roster } = found;
  const bound = machine.isGateway ? roster.machines.filter(({ ssh }) => ssh?.onlyGateway?.id === machine.id) : [];
  if (bound.length > 0 && !force) return hasMachines(machine, bound);
  const removed = await ctx.store.transaction(async (tx) => {
    // Workers are locked first, as everywhere. A worker that comes or asks for a place meanwhile does so before this, or finds no machine.
    for (const id of await workerIdsOn(tx, machine)) await tx.lockWorker(id);
    if ((await heldMachine(tx, machine.id)) === null) return notFound(roster, name);
    const there = workersTo(await tx.listRoster({}), machine.id).map((row) => row.name);
    if (there.length > 0 && !force) return hasWorkers(name, there, await busyOn(tx, machine));
    const handled = [];
    const names: string[] = [];
    for (const workerId of await workerIdsOn(tx, machine)) {
      const event = { kind: 'machine-removed' } as const;
      const one = await handleEvent(ctx, tx, { workerId, event, by: causeOf(by) });
      if (one === null) continue;
      handled.push(one);
      names.push(one.row.name);
    }
    if (machine.isGateway) await releaseMachines(ctx, tx, { gateway: machine, by, opens: force });
    if (!(await tx.removeMachine(machine.id))) return hasWorkers(name, names, []);
    await tx.audit(
      aboutMachine(ctx, machine, { by: causeOf(by), action: 'machine-removed', details: { workers: names } }),
    );
    return { handled, names };
  });
  if ('kind' in removed) return removed;
  const { handled, names } = removed;
  for (const { hint } of handled) hint();
  await tellGateways(ctx);
  ctx.log('info', `${by.name} removed the machine "${name}"`, {
    machineId: machine.id,
    workers: names,
  });
  return { kind: 'ok', value: { machine: viewOf(ctx, roster, machine), workers: names } };
}

async function workerIdsOn(tx: StoreTransaction, { id }: Machine): Promise<readonly string[]> {
  return (await tx.listRoster({ machineId: id })).map((row) => row.id).toSorted();
}

/** Names the machine's workers that have a task. */
async function busyOn(tx: StoreTransaction, { id }: Machine): Promise<readonly string[]> {
  const rows = await tx.listWorkers({ machineId: id });
  return rows.flatMap((row) => (row.state.task.kind === 'none' ? [] : [row.name]));
}

function hasMachines({ name }: Machine, bound: readonly Machine[]): Refusal {
  const names = bound.map((machine) => machine.name).join(', ');
  const message = `Only the gateway "${name}" may serve ${names}. Remove them first, or repeat with --force: then any gateway may serve them`;
  return { kind: 'refused', code: 'has-machines', message };
}

/** @param busy Names of the workers that have a task. */
function hasWorkers(name: string, names: readonly string[], busy: readonly string[]): Refusal {
  const tasks = busy.length === 0 ? '' : ` With a task: ${busy.join(', ')}.`;
  const message =
    `"${name}" has ${names.length} worker(s): ${names.join(', ')}.${tasks} Move them with "drover machine drain ${name}" or remove them with ` +
    '"drover nuke NAME" first; or repeat with --force, which removes them and their tasks from the fleet and leaves their sessions, worktrees and branches ' +
    'on the machine';
  return { kind: 'refused', code: 'has-workers', message };
}

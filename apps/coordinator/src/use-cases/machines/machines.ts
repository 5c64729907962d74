/** The use cases of machines: invite one, list them, take one out, and let one have a new key. */
import type { Actor, InvitationView, MachineFleet, MachineRequestView, Outcome, Refusal } from '@drover/api';
import { invitationText } from '@drover/protocol';
import type { Cause, Machine, NewAudit, StoreTransaction } from '@drover/store';
import { audited } from '../people/audit/rows.ts';
import { causeOf, POLICY } from '../people/causes.ts';
import { sha256 } from '../../agent/enrol.ts';
import type { Context } from '../context.ts';
import { machineView } from '../workers/views.ts';
import { handleEvent } from '../decisions/handle-event.ts';
import { EVERYTHING, readRoster } from '../workers/find.ts';
import type { Roster } from '../workers/find.ts';

/** The part of the API that is about machines. */
export function createMachineFleet(ctx: Context): MachineFleet {
  return {
    listMachines: async (by) => {
      const roster = await readRoster(ctx, by);
      const { machines, workers } = roster;
      const workersOf = (id: string): number => workers.filter(({ machineId }) => machineId === id).length;
      // A project sees the machines that its workers are on.
      return machines
        .filter(({ id }) => by.project === null || workersOf(id) > 0)
        .map((machine) => machineView(machine, { workers: workersOf(machine.id), judged: roster }));
    },
    invite: ({ ttlMs }, by) => invite(ctx, ttlMs, causeOf(by)),
    revokeMachine: ({ name }, by) =>
      changeMachine(ctx, by, {
        name,
        action: 'machine-revoked',
        change: (tx, { id }) => tx.revokeMachine(id, ctx.clock.now()),
      }),
    rotateMachine: ({ name }, by) =>
      changeMachine(ctx, by, { name, action: 'machine-rotated', change: (tx, machine) => rotate(ctx, tx, machine) }),
    removeMachine: (input, by) => remove(ctx, input, by),
  };
}

/** Makes a token for one machine, with the identity that the machine is to pin. */
export async function invite(
  { store, ids, clock, identity }: Context,
  ttlMs: number,
  by: Cause = POLICY,
): Promise<InvitationView> {
  const secret = ids.secret();
  const now = clock.now();
  const expiresAt = now + ttlMs;
  const hash = sha256(secret);
  const details = { token: hash.slice(0, 8), expiresAt };
  const audit = audited({ at: now, by, action: 'machine-invited', about: 'fleet', details });
  await store.createJoinToken({ sha256: hash, expiresAt, now, audit });
  return { token: invitationText({ secret, coordinator: identity.id }), coordinator: identity.id, expiresAt };
}

function viewOf(roster: Roster, machine: Machine): MachineRequestView['machine'] {
  return machineView(machine, { workers: workersOn(roster, machine).length, judged: roster });
}

function workersOn({ workers }: Roster, { id }: Machine): readonly string[] {
  return workers.flatMap((row) => (row.machineId === id ? [row.name] : []));
}

interface MachineRequest {
  readonly name: string;
  /** As the audit names it. */
  readonly action: string;
  /** @returns false when the machine is gone meanwhile; or why it is not done. */
  readonly change: (tx: StoreTransaction, machine: Machine) => Promise<boolean | Refusal>;
}

async function changeMachine(
  ctx: Context,
  by: Actor,
  { name, action, change }: MachineRequest,
): Promise<Outcome<MachineRequestView>> {
  const found = await findMachine(ctx, name);
  if (found.kind === 'refused') return found;
  const changed = await ctx.store.transaction(async (tx) => {
    const done = await change(tx, found.machine);
    if (done === true) await tx.audit(aboutMachine(ctx, found.machine, { by: causeOf(by), action }));
    return done;
  });
  if (typeof changed !== 'boolean') return changed;
  const after = changed ? await findMachine(ctx, name) : notFound(await readRoster(ctx, EVERYTHING), name);
  if (after.kind === 'refused') return after;
  ctx.log('info', `${by.name} asked of the machine "${name}": ${action}`, { machineId: found.machine.id });
  const { machine, roster } = after;
  return { kind: 'ok', value: { machine: viewOf(roster, machine), workers: workersOn(roster, machine) } };
}

interface AuditedChange {
  readonly by: Cause;
  readonly action: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

function aboutMachine(
  { clock }: Context,
  { id, name }: Machine,
  { by, action, details = {} }: AuditedChange,
): NewAudit {
  return audited({ at: clock.now(), by, action, about: `machine ${name}`, details: { machine: id, ...details } });
}

async function rotate(
  { clock }: Context,
  tx: StoreTransaction,
  { id, name, revokedAt }: Machine,
): Promise<boolean | Refusal> {
  if (revokedAt === null) return tx.rotateMachine(id, clock.now());
  const message = `"${name}" is revoked, and says no hello at which it could show a new key: let it in again with "drover machines invite"`;
  return { kind: 'refused', code: 'revoked', message };
}

/** With `force` its workers are forgotten: their rows go, and nothing of theirs on the machine is touched. */
async function remove(
  ctx: Context,
  { name, force }: { readonly name: string; readonly force: boolean },
  by: Actor,
): Promise<Outcome<MachineRequestView>> {
  const found = await findMachine(ctx, name);
  if (found.kind === 'refused') return found;
  const { machine, roster } = found;
  const names = workersOn(roster, machine);
  if (names.length > 0 && !force) return hasWorkers(name, names);
  const removed = await ctx.store.transaction(async (tx) => {
    const rows = (await tx.listWorkers({ machineId: machine.id })).toSorted((one, other) =>
      one.id < other.id ? -1 : 1,
    );
    if (rows.length > 0 && !force) return null;
    const handled = [];
    for (const { id } of rows)
      handled.push(await handleEvent(ctx, tx, { workerId: id, event: { kind: 'machine-removed' }, by: causeOf(by) }));
    if (!(await tx.removeMachine(machine.id))) return null;
    await tx.audit(
      aboutMachine(ctx, machine, { by: causeOf(by), action: 'machine-removed', details: { workers: names } }),
    );
    return handled;
  });
  if (removed === null) return hasWorkers(name, names);
  for (const handled of removed) handled?.hint();
  ctx.log('info', `${by.name} removed the machine "${name}"`, {
    machineId: machine.id,
    workers: names,
  });
  return { kind: 'ok', value: { machine: viewOf(roster, machine), workers: names } };
}

function hasWorkers(name: string, names: readonly string[]): Refusal {
  const message =
    `"${name}" has ${names.length} worker(s): ${names.join(', ')}. Remove them with "drover nuke NAME" first; or repeat with --force, ` +
    'which forgets them here and leaves their sessions, worktrees and branches on the machine as they are';
  return { kind: 'refused', code: 'has-workers', message };
}

async function findMachine(
  ctx: Context,
  name: string,
): Promise<{ readonly kind: 'found'; readonly machine: Machine; readonly roster: Roster } | Refusal> {
  const roster = await readRoster(ctx, EVERYTHING);
  const machine = roster.machines.find((one) => one.name === name);
  return machine === undefined ? notFound(roster, name) : { kind: 'found', machine, roster };
}

function notFound({ machines }: Roster, name: string): Refusal {
  const names = machines.map((machine) => machine.name).toSorted();
  const known = names.length === 0 ? 'none has joined yet' : `there are: ${names.join(', ')}`;
  return { kind: 'refused', code: 'not-found', message: `There is no machine "${name}"; ${known}` };
}

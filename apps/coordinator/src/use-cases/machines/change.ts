/** Shares the steps of requests that change one machine: find it, change it, audit it, show it. */
import type { Actor, MachineRequestView, Outcome, Refusal } from '@drover/api';
import type { Cause, Machine, NewAudit, StoreTransaction } from '@drover/store';
import { audited } from '../../facts/people/audit-rows.ts';
import { causeOf } from '../../facts/people/causes.ts';
import type { Context } from '../../context/context.ts';
import { machineView } from './view.ts';
import { EVERYTHING, readRoster } from '../../facts/workers/find.ts';
import type { Roster } from '../../facts/workers/find.ts';

/** A change of one machine. */
interface MachineRequest {
  readonly name: string;
  /** Name of the action in the audit. */
  readonly action: string;
  /** Tells whether the request is meant for gateways, too. Absent: a gateway is refused. */
  readonly takesGateways?: boolean;
  /** Details for the audit. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** @returns false when the machine is gone meanwhile; or the refusal. */
  readonly change: (tx: StoreTransaction, machine: Machine) => Promise<boolean | Refusal>;
}

/** Makes the change, or returns the refusal. */
export async function changeMachine(
  ctx: Context,
  by: Actor,
  { name, action, takesGateways = false, details, change }: MachineRequest,
): Promise<Outcome<MachineRequestView>> {
  const find = takesGateways ? findMember : findMachine;
  const found = await find(ctx, name);
  if (found.kind === 'refused') return found;
  const changed = await ctx.store.transaction(async (tx) => {
    const done = await change(tx, found.machine);
    if (done === true) await tx.audit(aboutMachine(ctx, found.machine, { by: causeOf(by), action, details }));
    return done;
  });
  if (typeof changed !== 'boolean') return changed;
  const after = changed ? await find(ctx, name) : notFound(await readRoster(ctx, EVERYTHING), name);
  if (after.kind === 'refused') return after;
  ctx.log('info', `${by.name} requested for the machine "${name}": ${action}`, { machineId: found.machine.id });
  const { machine, roster } = after;
  return { kind: 'ok', value: { machine: viewOf(ctx, roster, machine), workers: workersOn(roster, machine) } };
}

interface AuditedChange {
  readonly by: Cause;
  readonly action: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** Builds the line of the audit. */
export function aboutMachine(
  { clock }: Context,
  { id, name }: Pick<Machine, 'id' | 'name'>,
  { by, action, details = {} }: AuditedChange,
): NewAudit {
  return audited({ at: clock.now(), by, action, about: `machine ${name}`, details: { machine: id, ...details } });
}

/** Shows the machine to people. */
export function viewOf(
  { policy, minVersion }: Context,
  roster: Roster,
  machine: Machine,
): MachineRequestView['machine'] {
  const workers = workersOn(roster, machine).length;
  return machineView(machine, { workers, judged: roster, policy, machines: roster.machines, minVersion });
}

/** Names the machine's workers. */
export function workersOn({ workers }: Roster, { id }: Machine): readonly string[] {
  return workers.flatMap((row) => (row.machineId === id ? [row.name] : []));
}

/** A machine, and the roster that it was found in. */
interface Found {
  readonly kind: 'found';
  readonly machine: Machine;
  readonly roster: Roster;
}

/** Finds a machine. Refuses with the existing names, or where a gateway has the name. */
export async function findMachine(ctx: Context, name: string): Promise<Found | Refusal> {
  const found = await findMember(ctx, name);
  return found.kind === 'found' && found.machine.isGateway ? isGateway(name) : found;
}

/** Finds a machine or a gateway: anything that a person can remove by its name. */
export async function findMember(ctx: Context, name: string): Promise<Found | Refusal> {
  const [roster, gateways] = await Promise.all([readRoster(ctx, EVERYTHING), ctx.store.listGateways()]);
  const machine = [...roster.machines, ...gateways].find((one) => one.name === name);
  return machine === undefined ? notFound(roster, name) : { kind: 'found', machine, roster };
}

function isGateway(name: string): Refusal {
  const message = `"${name}" is a gateway, not a machine with workers: see "drover gateway", and "drover gateway --help" for what can be done with it`;
  return { kind: 'refused', code: 'is-gateway', message };
}

/** Refuses, with the existing names. */
export function notFound({ machines }: Pick<Roster, 'machines'>, name: string): Refusal {
  const names = machines.map((machine) => machine.name).toSorted();
  const known = names.length === 0 ? 'none has joined yet' : `there are: ${names.join(', ')}`;
  return { kind: 'refused', code: 'not-found', message: `There is no machine "${name}"; ${known}` };
}

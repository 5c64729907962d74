/** Lists the places that work can be put on now, as the policy sees them: rooms on machines, and workers. */
import { duration, isAccepting, isLeaving, isMoving } from '@drover/core';
import type { AccountState, Policy, Spot } from '@drover/core';
import type { Machine, Project, RosterRow, StoreTransaction, WorkerRow } from '@drover/store';
import { accountKeyOf, accountKeysOf, type Payer } from '../../context/account-key.ts';
import { judged } from '../../context/context.ts';
import type { Context } from '../../context/context.ts';
import { whyNotYet } from '../machines/canary.ts';
import { lacksProgram, loadPerProcessor, presentCondition, shortOfDisk, shortOfMemory } from '../machines/condition.ts';
import { machineState } from '../../context/leases.ts';
import type { Judged } from '../../context/leases.ts';
import { policyInForce } from '../policies/in-force.ts';
import { findHome } from '../projects/home.ts';
import { rootOn } from '../projects/place.ts';
import { DEFAULT_ROLE } from '../workers/role.ts';
import { whyNoNamesake } from './namesakes.ts';

/** State that the choice is made from: the whole fleet, or a part of it. */
export interface FleetNow<Row extends RosterRow = RosterRow> extends Judged {
  readonly machines: readonly Machine[];
  readonly workers: readonly Row[];
  readonly projects: readonly Project[];
  readonly accounts: ReadonlyMap<string, AccountState>;
  /** Ids of workers that wait for commits of a run, and are as good as at work. A person who names one may still have it. */
  readonly reserved: readonly string[];
}

/** Room for a worker on a machine. */
export type Room = Spot & { readonly at: Machine };

/** A worker that may get a task. */
export type Hand<Row extends RosterRow = WorkerRow> = Spot & { readonly row: Row };

/** Reads the fleet as it is now, outside of a transaction. `besides`: row of due work whose own reservation does not count. */
export async function fleetNow(ctx: Context, besides: string | null = null): Promise<FleetNow<WorkerRow>> {
  const { store } = ctx;
  const [machines, workers, projects, accounts, reservations] = await Promise.all([
    store.listMachines(),
    store.listWorkers(),
    store.listProjects(),
    store.listAccounts(),
    store.listReservations(),
  ]);
  const states = new Map(accounts.map(({ key, state }) => [key, state]));
  const reserved = reservations.flatMap(({ key, workerId }) => (key === besides ? [] : [workerId]));
  return { machines, workers, projects, accounts: states, reserved, ...judged(ctx) };
}

/** Reads the fleet in the transaction: one statement each for machines, accounts and reservations, however many workers are able. */
export async function fleetOf(
  ctx: Context,
  tx: StoreTransaction,
  { workers, able }: { readonly workers: readonly RosterRow[]; readonly able: readonly RosterRow[] },
): Promise<FleetNow> {
  const machines = able.length === 0 ? [] : await tx.listMachines();
  const known = able.length === 0 ? [] : await tx.listAccounts();
  const reserved = able.length === 0 ? [] : (await tx.listReservations()).map(({ workerId }) => workerId);
  const projects: Project[] = [];
  for (const id of new Set(able.map(({ projectId }) => projectId))) {
    const project = await tx.readProject(id);
    if (project !== null) projects.push(project);
  }
  const accounts = new Map(known.map(({ key, state }) => [key, state]));
  return { machines, workers, projects, accounts, reserved, ...judged(ctx) };
}

/** A worker that needs room. */
export interface Guest {
  readonly project: Project;
  readonly name: string;
  readonly profile: string;
}

/** Lists a room on each machine. */
export function roomsIn(ctx: Context, fleet: FleetNow, { project, name, profile }: Guest): readonly Room[] {
  const counted = countOn(fleet);
  const { policy } = policyInForce(ctx, project, name);
  return fleet.machines.map((at) => {
    return {
      at,
      machine: machineOf({ ...fleet, policy }, at, counted.get(at.id)),
      worker: null,
      namesake: whyNoNamesake(fleet, at, { project, name }),
      checkout: checkoutOf(fleet, at, project),
      program: lacksProgram(presentCondition(at, fleet.now), profile),
      paused: pausedOf(ctx, fleet, { options: { profile }, machineId: at.id }),
      canary: null,
    };
  });
}

/** Lists each of these workers at its machine. Leaves out workers whose machine is gone. */
export function handsIn<Row extends RosterRow>(
  ctx: Context,
  fleet: FleetNow,
  rows: readonly Row[],
): readonly Hand<Row>[] {
  const counted = countOn(fleet);
  const isReserved = (id: string): boolean => fleet.reserved.includes(id);
  return rows.flatMap((row) => {
    const at = fleet.machines.find(({ id }) => id === row.machineId);
    const project = fleet.projects.find(({ id }) => id === row.projectId);
    if (at === undefined) return [];
    const policy = project === undefined ? ctx.policy : policyInForce(ctx, project, row.name).policy;
    return [
      {
        row,
        machine: machineOf({ ...fleet, policy }, at, counted.get(at.id)),
        worker: {
          id: row.id,
          name: row.name,
          role: row.options.role ?? DEFAULT_ROLE,
          profile: row.options.profile,
          isInPool: !row.options.excludedFromPool,
          standing: isReserved(row.id) ? { kind: 'other', what: 'about to begin work of a run' } : standingOf(row),
        },
        namesake: null,
        checkout: project === undefined ? null : checkoutOf(fleet, at, project),
        program: null,
        paused: pausedOf(ctx, fleet, row),
        canary: whyNotYet(row, fleet, policy),
      },
    ];
  });
}

function standingOf({ state, updatedAt }: RosterRow): NonNullable<Spot['worker']>['standing'] {
  const { lifecycle, merge, move } = state;
  if (lifecycle.wanted === 'down') return { kind: 'other', what: 'down' };
  if (isLeaving(lifecycle)) return { kind: 'other', what: 'being removed' };
  if (isMoving(move)) return { kind: 'other', what: `moving to "${move.route.to.name}"` };
  if (lifecycle.status !== 'idle') return { kind: 'other', what: lifecycle.status };
  return isAccepting(merge.step) ? { kind: 'other', what: 'being merged' } : { kind: 'idle', since: updatedAt };
}

/** Lists the machines that a worker takes a place on: its own, and the one that it is moving to. */
function goesTo({ machineId, state: { move } }: RosterRow): readonly string[] {
  return move.kind === 'none' || move.kind === 'returning' || move.route.to.id === machineId
    ? [machineId]
    : [machineId, move.route.to.id];
}

/** Filters the workers that take a place on a machine. */
export function workersTo(workers: readonly RosterRow[], machineId: string): readonly RosterRow[] {
  return workers.filter((row) => goesTo(row).includes(machineId));
}

interface Counted {
  readonly workers: number;
  readonly busy: number;
}

function countOn({ workers, reserved }: FleetNow): ReadonlyMap<string, Counted> {
  const counted = new Map<string, Counted>();
  for (const row of workers) {
    for (const id of goesTo(row)) {
      const before = counted.get(id) ?? NONE;
      const isBusy = row.state.lifecycle.status === 'working' || reserved.includes(row.id);
      counted.set(id, { workers: before.workers + 1, busy: before.busy + Number(isBusy) });
    }
  }
  return counted;
}

const NONE: Counted = { workers: 0, busy: 0 };

interface JudgedByPolicy extends Judged {
  readonly policy: Policy;
}

function machineOf(judgedBy: JudgedByPolicy, machine: Machine, { workers, busy } = NONE): Spot['machine'] {
  const { id, name, cordon, labels, capacity } = machine;
  const { policy, now } = judgedBy;
  const condition = presentCondition(machine, now);
  const closed = cordon === null ? null : `${cordon.drain === null ? 'cordoned' : 'drained'} by ${cordon.by}`;
  return {
    id,
    name,
    state: machineState(machine, judgedBy),
    cordon: closed,
    labels,
    capacity,
    workers,
    busy,
    load: loadPerProcessor(condition),
    disk: shortOfDisk(condition, policy),
    memory: shortOfMemory(condition, policy),
  };
}

function checkoutOf(fleet: FleetNow, machine: Machine, project: Project): Spot['checkout'] {
  if (rootOn(project, machine) === null) return { why: 'it has not connected yet', mayComeLater: true };
  const checkout = machine.checkouts[project.id];
  if (checkout?.state !== 'failed') return null;
  // No retry is scheduled for an idle worker. Once the home machine is connected again, the next task makes the checkout.
  if (checkout.error?.code === 'home-away') {
    const home = findHome(project, fleet.machines);
    if (home.kind === 'found' && machineState(home.machine, fleet) === 'connected') return null;
  }
  return { why: checkout.error?.message ?? 'the clone failed', mayComeLater: true };
}

/** An idle worker goes to another open account of its profile: it is held only if there is none. */
function pausedOf(ctx: Context, { accounts, now }: FleetNow, payer: Payer): string | null {
  const isOpen = (key: string): boolean => (accounts.get(key)?.kind ?? 'open') === 'open';
  if ([...accountKeysOf(ctx, payer).values()].some(isOpen)) return null;
  const account = accounts.get(accountKeyOf(ctx, payer));
  if (account === undefined || account.kind === 'open') return null;
  return account.wakeAt > now ? `for another ${duration(account.wakeAt - now)}` : 'and is being tested now';
}

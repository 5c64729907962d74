/** Chooses the place for work by the policy, and says why, or why nowhere. */
import { ANYWHERE, place } from '@drover/core';
import type { PlaceRule } from '@drover/core';
import type { Refusal } from '@drover/api';
import type { Machine, Project, RosterRow, StoreTransaction, WorkerRow } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { heldMachine, whyNoWork } from '../machines/closed.ts';
import { nextMatch } from '../queue/rules.ts';
import { failuresMaxOf } from '../queue/failures.ts';
import { DEFAULT_QUEUE } from '../../context/queue-settings.ts';
import { refused } from '../../context/refused.ts';
import { whyNoNamesake } from './namesakes.ts';
import { fleetNow, handsIn, roomsIn, workersTo } from './spots.ts';
import type { FleetNow, Guest, Hand } from './spots.ts';

/** A worker that needs room, and the machine for it; undefined: any machine. */
interface RoomWanted extends Guest {
  readonly labels: readonly string[];
  readonly machine: string | undefined;
}

/** The chosen machine, or a refusal. */
export type ChosenRoom =
  | {
      readonly kind: 'room';
      readonly machine: Machine;
      readonly why: string;
      /** Sentences about waits that the worker may have on that machine. */
      readonly waits: readonly string[];
    }
  | Refusal;

/** Chooses the named machine if it is allowed, else the best one. */
export async function chooseRoom(ctx: Context, wanted: RoomWanted): Promise<ChosenRoom> {
  const fleet = await fleetNow(ctx);
  return wanted.machine === undefined
    ? best(ctx, fleet, wanted)
    : named(ctx, fleet, { ...wanted, machine: wanted.machine });
}

function best(ctx: Context, fleet: FleetNow, { labels, ...guest }: RoomWanted): ChosenRoom {
  const placed = place({ ...ANYWHERE, labels, mayWait: true }, roomsIn(ctx, fleet, guest));
  if (placed.kind === 'placed') return { kind: 'room', machine: placed.spot.at, why: placed.why, waits: placed.waits };
  if (fleet.machines.length === 0)
    return refused(
      'no-machine',
      'No machine has joined: run "drover up", or "drover machine invite" for another machine',
    );
  const mayWait = placed.refused.some(({ rule }) => WAITS.has(rule));
  const isTaken = placed.refused.every(({ rule }) => rule === 'namesake');
  const help = isTaken ? 'choose another name, or another machine' : mayWait ? WAIT : 'see "drover machine"';
  return refused(isTaken ? 'name-taken' : 'no-machine', `No machine can take ${guest.name}: ${placed.why}: ${help}`);
}

const WAIT = 'see "drover machine", and name one with --machine to wait for it';

/** Rules that a person who names the machine may wait for. */
const WAITS: ReadonlySet<PlaceRule> = new Set(['machine-state', 'checkout', 'program', 'disk', 'memory', 'account']);

/** Places a worker on the machine that a person named. A person may wait for the machine; no other rule is skipped. */
export function named(
  ctx: Context,
  fleet: FleetNow,
  { machine: name, labels, ...guest }: RoomWanted & { readonly machine: string },
): ChosenRoom {
  const rooms = roomsIn(ctx, fleet, guest);
  const room = rooms.find(({ machine }) => machine.name === name);
  if (room === undefined) {
    const names = fleet.machines.map((machine) => machine.name).toSorted();
    return refused('not-found', `There is no machine "${name}"; there are: ${names.join(', ') || 'none'}`);
  }
  const placed = place({ ...ANYWHERE, labels, isNamed: true }, [room]);
  if (placed.kind === 'placed') return { kind: 'room', machine: room.at, why: placed.why, waits: placed.waits };
  const rule = placed.refused[0]?.rule ?? 'machine-state';
  const cordoned = rule === 'cordon' ? whyNoWork(room.at) : null;
  return refused(CODES[rule] ?? 'no-machine', cordoned ?? `${placed.why}: ${HELP[rule] ?? 'choose another machine'}`);
}

const CODES: { readonly [R in PlaceRule]?: string } = {
  cordon: 'cordoned',
  capacity: 'full',
  label: 'label',
  namesake: 'name-taken',
};

const HELP: { readonly [R in PlaceRule]?: string } = {
  capacity: 'choose another machine, or raise its limit with "drover machine label NAME --capacity"',
  label: 'choose another machine, or give it the label with "drover machine label"',
  namesake: 'choose another name, or another machine',
};

/** A worker that is put on a machine. */
interface Newcomer extends Pick<WorkerRow, 'id' | 'name' | 'projectId'> {
  readonly options: Pick<WorkerRow['options'], 'labels'>;
}

/**
 * Tells why a chosen machine can no longer take the worker: it was closed, got other labels, or another worker came first. Runs in the
 * transaction that puts the worker there. Null: the machine can, until the end of the transaction.
 */
export async function whyNotThere(
  tx: StoreTransaction,
  { id, name, projectId, options: { labels = [] } }: Newcomer,
  machineId: string,
): Promise<Refusal | null> {
  const machine = await heldMachine(tx, machineId);
  if (machine === null) return refused('machine', 'That machine is no longer in the fleet');
  const closed = whyNoWork(machine);
  if (closed !== null) return refused('cordoned', closed);
  const lacks = labels.filter((label) => !machine.labels.includes(label));
  if (lacks.length > 0) return refused('label', `"${machine.name}" no longer has the label ${lacks.join(', ')}`);
  const workers = await tx.listRoster({});
  const namesake = await namesakeOn(tx, workers, { machine, name, projectId });
  if (namesake !== null) return refused('name-taken', `"${machine.name}" ${namesake}`);
  const there = workersTo(workers, machineId).filter((one) => one.id !== id);
  const { capacity } = machine;
  return capacity === null || there.length < capacity ? null : refused('full', `The machine "${machine.name}" is full`);
}

async function namesakeOn(
  tx: StoreTransaction,
  workers: readonly RosterRow[],
  { machine, name, projectId }: { readonly machine: Machine; readonly name: string; readonly projectId: string },
): Promise<string | null> {
  const namesakes = workers.filter((one) => one.name === name && one.projectId !== projectId);
  if (namesakes.length === 0) return null;
  const projects: Project[] = [];
  for (const id of new Set([projectId, ...namesakes.map((one) => one.projectId)])) {
    const project = await tx.readProject(id);
    if (project !== null) projects.push(project);
  }
  const project = projects.find(({ id }) => id === projectId);
  // The caller reports a worker without a project.
  return project === undefined ? null : whyNoNamesake({ workers: namesakes, projects }, machine, { project, name });
}

/** A worker for a task, among the idle workers of the project. */
export type ChosenHand = { readonly kind: 'hand'; readonly row: WorkerRow; readonly why: string } | Refusal;

/**
 * Picks the best idle worker of a project for new work. Leaves workers to the most urgent items of the work queue that need them.
 * @param role Only workers of this role. Refused with `no-idle-worker`.
 */
export async function chooseHand(
  ctx: Context,
  { project, role }: { readonly project: Project; readonly role: string | null },
): Promise<ChosenHand> {
  const fleet = await fleetNow(ctx);
  const rows = fleet.workers.filter(({ projectId }) => projectId === project.id);
  const hands = handsIn(ctx, fleet, rows);
  const { needed, items } = await neededFirst(ctx, { project, hands, workers: fleet.workers });
  const placed = place(
    { ...ANYWHERE, role },
    hands.filter(({ row }) => !needed.has(row.id)),
  );
  if (placed.kind === 'placed') return { kind: 'hand', row: placed.spot.row, why: placed.why };
  const add = '"drover queue add" queues it for the next one that can';
  if (rows.length === 0) return refused('no-idle-worker', 'There are no workers yet: run "drover add NAME"');
  const others = placed.refused.length === 0 ? '' : `; ${placed.why}`;
  if (needed.size > 0)
    return refused('no-idle-worker', `The most urgent work comes first (S0: ${items.join(', ')})${others}. ${add}`);
  return refused('no-idle-worker', `No idle worker of the pool can take it: ${placed.why}. ${add}`);
}

interface Idle {
  readonly project: Project;
  readonly hands: readonly Hand[];
  readonly workers: readonly WorkerRow[];
}

/** Finds the workers that are about to get an S0 item from the queue. */
async function neededFirst(
  ctx: Context,
  { project, hands, workers }: Idle,
): Promise<{ readonly needed: ReadonlySet<string>; readonly items: readonly string[] }> {
  const needed = new Set<string>();
  const items: string[] = [];
  if (!(ctx.queue ?? DEFAULT_QUEUE).take) return { needed, items };
  const open = await ctx.store.listQueueItems({ projectId: project.id, status: ['open'], limit: ITEMS_READ_MAX });
  for (const item of open.filter(({ priority }) => priority === 'S0')) {
    const free = hands.filter(({ row }) => !needed.has(row.id));
    const match = nextMatch([item], { hands: free, workers, failuresMax: () => failuresMaxOf(ctx, project) });
    if (match === null) continue;
    needed.add(match.hand.row.id);
    items.push(`"${item.title}"`);
  }
  return { needed, items };
}

/** Open items that are read: more than a queue can hold. */
const ITEMS_READ_MAX = 10_000;

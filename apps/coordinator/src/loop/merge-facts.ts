/**
 * Reads facts that a decision on accepted work needs of the others of its project (docs/git.md, "Several at once"). Reads all of them,
 * and locks workers that may be notified, before the project: a decision on accepted work locks the project's row after the workers'.
 */
import { acceptOf, chooseCheckPlace, inHand, membersOf, stateOf } from '@drover/core';
import type { CheckPlace, FactName, Member, MergeFacts, Queue } from '@drover/core';
import type { Machine, Project, StoreTransaction, WorkerRow } from '@drover/store';
import type { Context } from '../context/context.ts';
import { judged } from '../context/context.ts';
import { machineState } from '../context/leases.ts';
import { haveOneMain } from '../facts/projects/home.ts';

/** Taken items of the work queue that are read to find the urgency of accepted work. */
const ITEMS_MAX = 500;

/** Locks the workers that this decision may notify, in the order of their ids. */
export async function lockMembers(
  ctx: Context,
  tx: StoreTransaction,
  { row, names }: { readonly row: WorkerRow; readonly names: readonly FactName[] },
): Promise<void> {
  const aboard = membersOf(row.state.merge.step).map(({ id }) => id);
  for (const id of aboard.toSorted()) await tx.lockWorker(id);
  if (aboard.length > 0 || !names.includes('queue')) return;
  const project = await tx.readProject(row.projectId);
  if (project === null || project.mergeWorkerId !== null) return;
  const { first, members } = await readQueue(ctx, tx, { row, project });
  if (first === null) for (const { id } of members.toSorted(byId)) await tx.lockWorker(id);
}

function byId(one: Member, other: Member): number {
  return one.id < other.id ? -1 : 1;
}

/** A worker that merges, or may, and its locked project. */
interface Merging {
  readonly row: WorkerRow;
  readonly project: Project;
  readonly machine: Machine | null;
  /** Names of the requested facts. */
  readonly names: readonly FactName[];
}

/** Reads the facts that a decision asked for. */
export async function mergeFacts(ctx: Context, tx: StoreTransaction, merging: Merging): Promise<MergeFacts> {
  const { row, project, names } = merging;
  const isAboard = names.includes('aboard') ? await isMember(tx, row) : undefined;
  const queue = names.includes('queue') && project.mergeWorkerId === null ? await readQueue(ctx, tx, merging) : null;
  const checkPlace = names.includes('check-place') ? await checkPlaceOf(ctx, tx, merging) : null;
  return {
    lease: leaseOf(project, row.id),
    ...(isAboard !== undefined && { isAboard }),
    ...(queue !== null && (queue.first !== null || queue.members.length > 0) && { queue }),
    ...(checkPlace !== null && { checkPlace }),
  };
}

function leaseOf({ mergeWorkerId }: Project, workerId: string): MergeFacts['lease'] {
  if (mergeWorkerId === null) return 'free';
  return mergeWorkerId === workerId ? 'mine' : 'other';
}

async function isMember(tx: StoreTransaction, { id, projectId, state }: WorkerRow): Promise<boolean | undefined> {
  const at = state.merge.step;
  if (at.kind !== 'aboard') return undefined;
  const conductor = (await tx.listWorkers({ projectId })).find((other) => other.id === at.conductor.id);
  return conductor !== undefined && membersOf(conductor.state.merge.step).some((member) => member.id === id);
}

async function checkPlaceOf(
  ctx: Context,
  tx: StoreTransaction,
  { project, machine }: Merging,
): Promise<CheckPlace | null> {
  if (machine === null) return null;
  const { validateOn = [] } = project.config;
  if (validateOn.length === 0) return chooseCheckPlace(machine.name, []);
  const at = judged(ctx);
  const machines = await tx.listMachines();
  const connected = new Set(machines.filter((one) => machineState(one, at) === 'connected').map(({ name }) => name));
  const named = validateOn.map((name) => ({ name, isConnected: connected.has(name) }));
  return chooseCheckPlace(machine.name, named);
}

/** Reads the merge queue: the most urgent first, then by time of acceptance. */
async function readQueue(
  ctx: Context,
  tx: StoreTransaction,
  { row, project }: { readonly row: WorkerRow; readonly project: Project },
): Promise<Queue> {
  const all = await tx.listWorkers({ projectId: row.projectId });
  const waiting = all.filter((other) => other.id !== row.id && isWaiting(other));
  const me = { id: row.id, name: row.name };
  if (waiting.length === 0) return { me, first: null, members: [] };
  const items = await tx.listQueueItems({ projectId: row.projectId, status: ['taken'], limit: ITEMS_MAX });
  const priorities = new Map(items.map(({ taskId, priority }) => [taskId, priority]));
  const now = ctx.clock.now();
  const rank = (one: WorkerRow): string => {
    // Work without an item was asked for directly: as urgent as S2, where tasks begin.
    const priority = priorities.get(inHand(one.state.task)?.id ?? '') ?? 'S2';
    return `${priority === 'S0' ? 0 : 1} ${String(acceptOf(one.state.merge.step)?.since ?? now).padStart(16, '0')} ${one.id}`;
  };
  const inOrder = waiting.map((one) => ({ one, key: rank(one) })).toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const own = rank(row);
  let first: string | null = null;
  for (const { one, key } of inOrder)
    if (first === null && key < own && (await isReady(ctx, tx, one))) first = one.name;
  // Each branch that is handed over holds one work, which people can take or leave.
  const along = project.config.publish === 'branch' ? [] : inOrder.map(({ one }) => one);
  const machines = await machinesWithMain(ctx, tx, { row, project, along });
  const members = along.flatMap((one) => (canComeAlong(row, one, machines) ? memberOf(row, one) : []));
  return { me, first, members };
}

function isWaiting({ state }: WorkerRow): boolean {
  const { merge, lifecycle, command } = state;
  const isFree = command.inFlight === null && lifecycle.wanted === 'up' && stateOf(lifecycle) === 'needs_review';
  return merge.step.kind === 'waiting' && isFree;
}

/** Tells whether the worker takes its turn by itself, soon. */
async function isReady(ctx: Context, tx: StoreTransaction, { machineId, state }: WorkerRow): Promise<boolean> {
  const now = ctx.clock.now();
  const at = state.merge.step;
  const waitsForMain = at.kind === 'waiting' && at.accept.red !== null && (at.notBefore ?? 0) > now;
  const isHeld = (state.command.holdUntil ?? 0) > now || waitsForMain;
  if (isHeld) return false;
  return machineState(await tx.readMachine(machineId), { ...judged(ctx), now }) === 'connected';
}

/** Finds the machines from which work can come along: this one, and those that can send it and have the same main. */
async function machinesWithMain(
  ctx: Context,
  tx: StoreTransaction,
  { row, project, along }: { readonly row: WorkerRow; readonly project: Project; readonly along: readonly WorkerRow[] },
): Promise<ReadonlySet<string>> {
  const found = new Set([row.machineId]);
  if (along.every(({ machineId }) => machineId === row.machineId)) return found;
  const all = await tx.listMachines();
  const mine = all.find(({ id }) => id === row.machineId);
  const now = ctx.clock.now();
  for (const there of all) {
    if (mine === undefined || machineState(there, { ...judged(ctx), now }) !== 'connected') continue;
    if (haveOneMain(project, all, [mine, there])) found.add(there.id);
  }
  return found;
}

/** Tells whether the work can come along: its commits are here or can be sent, its checks run like the other's, and it has something to merge. */
function canComeAlong(
  row: WorkerRow,
  { machineId, options, state }: WorkerRow,
  machines: ReadonlySet<string>,
): boolean {
  const isSame = machines.has(machineId) && options.profile === row.options.profile;
  return isSame && acceptOf(state.merge.step)?.nothing === false;
}

function memberOf(row: WorkerRow, { id, name, machineId, state }: WorkerRow): readonly Member[] {
  const accept = acceptOf(state.merge.step);
  if (accept === null) return [];
  const member = { id, name, pin: accept.pin };
  return [machineId === row.machineId ? member : { ...member, elsewhere: true }];
}

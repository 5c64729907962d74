/** Decides which item of the work queue a worker may take now, and what the others wait for. Pure. */
import { ANYWHERE, FAILURE_CLASSES, inHand, isAccepting, isMoving, place } from '@drover/core';
import type { Placement, StartingPoint } from '@drover/core';
import type { QueueItemRow, RosterRow, WorkerRow } from '@drover/store';
import { z } from 'zod';
import type { Hand } from '../placement/spots.ts';

/** Reasons why an item waits: its finder is still at the task that it was found in; or it needs a person. */
export type WaitsFor = 'source' | 'person';

const TOOL_CLASSES: ReadonlySet<string> = new Set([...FAILURE_CLASSES, 'findings']);

/** Tells whether a tool that failed found the item: the agent may still repair it itself. */
export function isToolItem({ class: itemClass }: Pick<QueueItemRow, 'class'>): boolean {
  return TOOL_CLASSES.has(itemClass);
}

/** Returns the task in which an item was found; null for an item that a person added. */
export function sourceTask({ source }: QueueItemRow): string | null {
  return typeof source['task'] === 'string' ? source['task'] : null;
}

/** Workers that may be at an open item, and the failures after which the item waits for a person. */
interface Known {
  readonly workers: readonly WorkerRow[];
  readonly failuresMax: (projectId: string) => number;
}

/** Tells what an open item waits for; null: any idle worker may take it. */
export function waitsFor(item: QueueItemRow, { workers, failuresMax }: Known): WaitsFor | null {
  if (item.failures >= failuresMax(item.projectId)) return 'person';
  const task = sourceTask(item);
  if (task === null || !isToolItem(item)) return null;
  return workers.some(({ state }) => inHand(state.task)?.id === task) ? 'source' : null;
}

/** Returns the role that an item asks for; null: any. */
export function roleOf({ source }: QueueItemRow): string | null {
  return typeof source['role'] === 'string' ? source['role'] : null;
}

/** Returns the existing work on which a task began that was handed over. */
export function startOf({ source }: QueueItemRow): StartingPoint | undefined {
  const { success, data } = startingPoint.safeParse(source['from']);
  return success ? data : undefined;
}

const startingPoint = z.object({ commit: z.string(), name: z.string() });

export interface Match {
  readonly item: QueueItemRow;
  readonly hand: Hand<RosterRow>;
  /** Reason for the choice of this worker. */
  readonly why: string;
}

/** Workers that may take an item, and all workers. */
interface Workforce extends Known {
  readonly hands: readonly Hand<RosterRow>[];
}

/**
 * Finds the most urgent item that a worker of the pool may take, and its worker: the policy places the item, and avoids a worker that
 * gave it up, if there is another.
 *
 * @param items Open items, most urgent first.
 */
export function nextMatch(items: readonly QueueItemRow[], known: Workforce): Match | null {
  for (const item of items) {
    if (waitsFor(item, known) !== null) continue;
    const placed = placeItem(item, known.hands);
    if (placed.kind === 'placed') return { item, hand: placed.spot, why: placed.why };
  }
  return null;
}

/** Chooses the worker for an item that waits for nothing else, or tells why no worker takes it. */
export function placeItem(item: QueueItemRow, hands: readonly Hand<RosterRow>[]): Placement<Hand<RosterRow>> {
  const gaveUp = [item.source['workerId'], item.workerId].filter((id) => typeof id === 'string');
  const own = hands.filter(({ row }) => row.projectId === item.projectId);
  return place({ ...ANYWHERE, role: roleOf(item), notYet: gaveUp }, own);
}

/** Tells whether a worker is of the pool and has nothing to do. The policy of places checks its machine. */
export function isIdleInPool({ state, options }: RosterRow): boolean {
  const { lifecycle, merge, move } = state;
  const isFree = lifecycle.status === 'idle' && !isAccepting(merge.step) && !isMoving(move);
  return isFree && lifecycle.wanted === 'up' && !options.excludedFromPool;
}

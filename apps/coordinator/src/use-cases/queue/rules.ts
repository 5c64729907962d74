/** Which item of the work queue a worker may take now, and what the others wait for. Pure. */
import { FAILURE_CLASSES, inHand, isMoving } from '@drover/core';
import type { QueueItemRow, WorkerRow } from '@drover/store';

/** Whether workers take items by themselves, and how many a project's queue holds at most. `[queue]` of drover.toml. */
export interface QueueSettings {
  readonly take: boolean;
  readonly itemsMax: number;
}

/** The default. Source: docs/configuration.md, queue. */
export const DEFAULT_QUEUE: QueueSettings = { take: true, itemsMax: 100 };

/** An item whose task failed this often needs a person: a third try would be the same again. */
export const ITEM_FAILURES_MAX = 2;

/** Why an item is not taken: its finder is still at the task that it was found in; or it needs a person. */
export type WaitsFor = 'source' | 'person';

const TOOL_CLASSES: ReadonlySet<string> = new Set([...FAILURE_CLASSES, 'findings']);

/** Whether an item was found by a tool that failed: the agent may still repair it itself. */
export function isToolItem({ class: itemClass }: Pick<QueueItemRow, 'class'>): boolean {
  return TOOL_CLASSES.has(itemClass);
}

/** The task in which an item was found; null for one that a person added. */
export function sourceTask({ source }: QueueItemRow): string | null {
  return typeof source['task'] === 'string' ? source['task'] : null;
}

/** What an open item waits for; null: any idle worker may take it. */
export function waitsFor(item: QueueItemRow, workers: readonly WorkerRow[]): WaitsFor | null {
  if (item.failures >= ITEM_FAILURES_MAX) return 'person';
  const task = sourceTask(item);
  if (task === null || !isToolItem(item)) return null;
  return workers.some(({ state }) => inHand(state.task)?.id === task) ? 'source' : null;
}

/** An item and the worker that takes it. */
export interface Match {
  readonly item: QueueItemRow;
  readonly worker: WorkerRow;
}

/**
 * The most urgent item that an idle worker of the pool may take, and who: the one that has been idle longest, but not the one
 * that gave the work up, if there is another.
 *
 * @param items Open ones, most urgent first. @param idle Workers that may take something.
 */
export function nextMatch(
  items: readonly QueueItemRow[],
  { idle, workers }: { idle: readonly WorkerRow[]; workers: readonly WorkerRow[] },
): Match | null {
  for (const item of items) {
    if (waitsFor(item, workers) !== null) continue;
    const able = idle
      .filter(({ projectId }) => projectId === item.projectId)
      .toSorted((one, other) => one.updatedAt - other.updatedAt);
    const worker = able.find(({ id }) => id !== item.source['workerId'] && id !== item.workerId) ?? able[0];
    if (worker !== undefined) return { item, worker };
  }
  return null;
}

/** Whether a worker is of the pool and has nothing to do. Whether its machine is there, the caller knows. */
export function isIdleInPool({ state, options }: WorkerRow): boolean {
  const { lifecycle, merge, move } = state;
  const isFree = lifecycle.status === 'idle' && merge.accept === null && !isMoving(move);
  return isFree && lifecycle.wanted === 'up' && !options.excludedFromPool;
}

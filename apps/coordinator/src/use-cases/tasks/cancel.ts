/** Cancels a task: one that a worker has in hand, or one that waits in the work queue. A repeated request gets the same answer. */
import { inHand } from '@drover/core';
import type { WorkerEvent } from '@drover/core';
import type { Actor, CancelView, Outcome, Refusal, TaskFleet } from '@drover/api';
import type { EventRow, WorkerRow } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { findItem } from '../../facts/queue/find-item.ts';
import { dropItem } from '../../loop/subjects/queue-items.ts';
import { refused } from '../../context/refused.ts';
import { findByName, readRoster, viewWorker } from '../../facts/workers/find.ts';
import type { Found, Roster } from '../../facts/workers/find.ts';
import { decideRequest, findAsked } from '../../loop/subjects/requests.ts';
import { taskTitle } from '../../facts/tasks/title.ts';

type Cancelling = Parameters<TaskFleet['cancel']>[0] & { readonly by: Actor };
type CancelEvent = Extract<WorkerEvent, { kind: 'cancel-requested' }>;

/** Lines of a worker's history that are searched for the last cancel. */
const HISTORY_READ = 200;
/** Newest tasks of workers of one name: the present one, the previous one, and those of a removed namesake. */
const TASKS_READ = 10;
/** Milliseconds within which a second person who cancels has perhaps not seen that another task began. */
const AT_ONCE_MS = 60_000;

/** Finds the task, ends it, and tells the result. */
export async function cancel(ctx: Context, cancelling: Cancelling): Promise<Outcome<CancelView>> {
  const { requestId, name, by } = cancelling;
  const roster = await readRoster(ctx, by);
  const found = (await findAsked(ctx, by, requestId)) ?? findByTask(roster, name) ?? findByName(roster, name);
  if (found.kind === 'found') return cancelOf(ctx, cancelling, found.row);
  return found.code === 'not-found' ? cancelItem(ctx, cancelling, { roster, missing: found }) : found;
}

/** Cancels the task that the worker has in hand. */
async function cancelOf(ctx: Context, cancelling: Cancelling, row: WorkerRow): Promise<Outcome<CancelView>> {
  const { requestId, by } = cancelling;
  const before = await lastCancel(ctx, row);
  const repeated = before === null ? null : repeatedBy(before, { row, cancelling });
  if (before !== null && repeated === 'the same')
    return shown(ctx, { row, by, event: before, again: before.requestId !== requestId });
  if (before !== null && repeated === 'another task') return anotherTask(row, before);
  const task = inHand(row.state.task);
  if (task === null) return refused('no-task', noTask(row));
  const event = { kind: 'cancel-requested', id: requestId, task: task.id, by: by.name } as const;
  const outcome = await decideRequest(ctx, { row, requestId, by, event: () => event });
  if (outcome.kind === 'refused' && outcome.code !== 'no-task') return outcome;
  // An earlier request wins.
  const done = await cancelOfTask(ctx, row, task);
  if (done !== null) return shown(ctx, { row, by, event: done, again: outcome.kind === 'refused' });
  return outcome.kind === 'refused' ? outcome : refused('no-task', noTask(row));
}

/** Finds the worker that has the task of this id in hand; null: none has, or the id is the name of a worker. */
function findByTask({ workers }: Roster, id: string): Found | null {
  if (workers.some(({ name }) => name === id) || !/^[0-9a-f-]{4,36}$/iu.test(id)) return null;
  const part = id.toLowerCase();
  const named = workers.filter(({ state }) => {
    const task = inHand(state.task)?.id;
    return task?.startsWith(part) === true || task?.endsWith(part) === true;
  });
  const [row, ...others] = named;
  if (row === undefined) return null;
  if (others.length === 0) return { kind: 'found', row };
  return refused('invalid', `"${id}" matches ${named.length} tasks: give more of the id`);
}

interface LastCancel extends Pick<EventRow, 'requestId' | 'actor' | 'at'> {
  readonly event: CancelEvent;
  readonly title: string;
}

/** Tells how the worker's last task was cancelled, or the one before the task in hand; null: it was not. */
async function lastCancel(ctx: Context, row: WorkerRow): Promise<LastCancel | null> {
  const { id, name, projectId, state } = row;
  const given = await ctx.store.listTasks({ projectId, workerName: name, limit: TASKS_READ });
  const present = inHand(state.task)?.id;
  const last = given.find((task) => task.workerId === id && task.id !== present);
  if (last?.status !== 'cancelled') return null;
  return cancelOfTask(ctx, row, last);
}

/** Tells how this task was cancelled; null: it was not. */
async function cancelOfTask(
  { store }: Context,
  { id }: WorkerRow,
  task: { readonly id: string; readonly prompt: string },
): Promise<LastCancel | null> {
  const events = await store.listEvents({ of: { workerId: id }, limit: HISTORY_READ });
  for (const { event, reply, requestId, actor, at } of events)
    if (isCancelOf(event, task.id) && reply.kind === 'accepted')
      return { requestId, actor, at, event, title: taskTitle(task.prompt) };
  return null;
}

function isCancelOf(event: WorkerEvent, task: string): event is CancelEvent {
  return event.kind === 'cancel-requested' && event.task === task;
}

/** Tells whether this repeats an earlier cancel: also for a worker that has got no other task since, or has got one just now. */
function repeatedBy(
  before: LastCancel,
  { row, cancelling: { requestId, name, by } }: { readonly row: WorkerRow; readonly cancelling: Cancelling },
): 'the same' | 'another task' | null {
  if (before.requestId === requestId) return 'the same';
  const task = inHand(row.state.task);
  if (task === null) return 'the same';
  const isOthers = before.actor?.kind !== 'policy' && before.actor?.id !== by.id;
  const isNamed = name !== row.name && !name.endsWith(`/${row.name}`);
  return isOthers && !isNamed && task.startedAt - before.at < AT_ONCE_MS ? 'another task' : null;
}

function anotherTask({ name, state }: WorkerRow, { event }: LastCancel): Refusal {
  const task = inHand(state.task);
  const message =
    `${name}: ${event.by} cancelled its task a moment ago, and it has a new one since, "${taskTitle(task?.prompt ?? '')}": ` +
    `to cancel that too, run "drover cancel ${task?.id ?? ''}"`;
  return refused('another-task', message);
}

async function shown(
  ctx: Context,
  {
    row,
    by,
    event: line,
    again,
  }: { readonly row: WorkerRow; readonly by: Actor; readonly event: LastCancel; readonly again: boolean },
): Promise<Outcome<CancelView>> {
  const saved = (await ctx.store.readWorker(row.id)) ?? row;
  const { event, at, title } = line;
  return {
    kind: 'ok',
    value: {
      task: event.task,
      title,
      again,
      by: event.by,
      at,
      worker: await viewWorker(ctx, by, saved),
      checkpoint: event.id,
    },
  };
}

/** Cancels an item of the work queue: an item that a worker has is cancelled as its task, and a waiting one is dropped. */
async function cancelItem(
  ctx: Context,
  cancelling: Cancelling,
  { roster, missing }: { readonly roster: Roster; readonly missing: Refusal },
): Promise<Outcome<CancelView>> {
  const { name, by } = cancelling;
  const found = await findItem(ctx, name.toLowerCase(), by);
  if (found.kind === 'refused') return found.code === 'not-found' ? missing : found;
  const { item } = found;
  const row = roster.workers.find(({ id, state }) => id === item.workerId && inHand(state.task)?.id === item.taskId);
  if (item.status === 'taken' && row !== undefined) return cancelOf(ctx, cancelling, row);
  const isDropped = item.status === 'dropped';
  const dropped = isDropped ? null : await dropItem(ctx, { id: item.id, by });
  if (dropped !== null && 'kind' in dropped) return dropped;
  return {
    kind: 'ok',
    value: {
      task: item.id,
      title: item.title,
      again: isDropped,
      by: isDropped ? null : by.name,
      at: dropped?.updatedAt ?? item.updatedAt,
      worker: null,
      checkpoint: null,
    },
  };
}

function noTask({ name, state: { lifecycle } }: WorkerRow): string {
  const what = lifecycle.status === 'error' ? `it is in error: see "drover why ${name}"` : 'there is nothing to cancel';
  return `${name} has no task: ${what}`;
}

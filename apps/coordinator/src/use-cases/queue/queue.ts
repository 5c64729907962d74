/** The use cases of the work queue. */
import type { Actor, Outcome, QueueFleet, QueueItemView, Refusal } from '@drover/api';
import type { NewAudit, QueueItemRow, StoreTransaction } from '@drover/store';
import { audited, sumOf } from '../people/audit/rows.ts';
import { causeOf, tellCause } from '../people/causes.ts';
import type { Context } from '../context.ts';
import { fleetNow, handsIn } from '../placement/spots.ts';
import type { Hand } from '../placement/spots.ts';
import { theProject } from '../projects/which.ts';
import { taskTitle } from '../tasks/title.ts';
import { readRoster } from '../workers/find.ts';
import type { Reach, Roster } from '../workers/find.ts';
import { expireEscalation } from '../escalations/close.ts';
import { newItem } from './new-item.ts';
import { queueDue } from './records.ts';
import { placeItem, roleOf, waitsFor } from './rules.ts';
import { failuresMaxIn } from './failures.ts';
import { DEFAULT_QUEUE } from './settings.ts';
import { refused } from '../refused.ts';

/** Items that are searched for the one that is named. */
const ITEMS_READ_MAX = 10_000;
const WAITING = ['open', 'taken'] as const;

/** Binds the use cases to a context. */
export function createQueueFleet(ctx: Context): QueueFleet {
  return {
    listQueue: async ({ all, limit, after }, by) => {
      const from = after === undefined ? {} : { after };
      const items = await ctx.store.listQueueItems({ limit, ...from, ...within(by), ...(!all && { status: WAITING }) });
      const roster = await readRoster(ctx, by);
      const hands = await handsNow(ctx);
      return items.map((item) => viewOf(ctx, item, { roster, hands }));
    },
    addToQueue: (input, by) => add(ctx, input, by),
    queueItem: async ({ id }, by) => {
      const found = await findItem(ctx, id, by);
      return found.kind === 'refused' ? found : shown(ctx, found.item, by);
    },
    dropQueueItem: (input, by) => dropItem(ctx, { ...input, by }),
    retryQueueItem: ({ id }, by) => changed(ctx, { id, by }, retry),
  };
}

/** Takes an open item out of the queue. Refused as `taken` or `over` for others. */
export function dropItem(
  ctx: Context,
  which: { readonly id: string; readonly by: Actor },
): Promise<Outcome<QueueItemView>> {
  return changed(ctx, which, drop);
}

async function add(
  ctx: Context,
  { requestId, project: name, role, priority, prompt }: Parameters<QueueFleet['addToQueue']>[0],
  by: Actor,
): Promise<Outcome<QueueItemView>> {
  const { itemsMax } = ctx.queue ?? DEFAULT_QUEUE;
  const meant = theProject(await readRoster(ctx, by), name);
  if (meant.kind === 'refused') return meant;
  const { project } = meant;
  const before = await ctx.store.readQueueItem(requestId);
  if (before !== null) return shown(ctx, before, by);
  const now = ctx.clock.now();
  const given = {
    id: requestId,
    projectId: project.id,
    priority,
    title: taskTitle(prompt),
    body: prompt,
    class: 'task',
    dedupeKey: `request:${requestId}`,
    source: role === undefined ? {} : { role },
    actor: causeOf(by),
  };
  const item = newItem(given, now);
  const problem = await ctx.store.transaction(async (tx): Promise<Refusal | null> => {
    // A project that is removed at this moment gets no work.
    if ((await tx.lockProject(project.id)) === null)
      return refused('no-project', `There is no project "${project.name}" any more`);
    const waiting = await tx.listQueueItems({ projectId: project.id, status: WAITING, limit: ITEMS_READ_MAX });
    if (waiting.length >= itemsMax)
      return refused(
        'queue-full',
        `The work queue holds ${itemsMax} items already: drop some, or raise queue.max_items`,
      );
    await tx.insertQueueItem(item);
    await tx.schedule([queueDue(now)]);
    await tx.audit(auditedItem(item, { action: 'queue-added', by, now }));
    return null;
  });
  if (problem !== null) return problem;
  ctx.hints.due(now);
  return shown(ctx, item, by);
}

type Change = (
  tx: StoreTransaction,
  item: QueueItemRow,
) => Promise<Partial<QueueItemRow> | Refusal> | Partial<QueueItemRow> | Refusal;

async function changed(
  ctx: Context,
  { id, by }: { id: string; by: Actor },
  change: Change,
): Promise<Outcome<QueueItemView>> {
  const found = await findItem(ctx, id, by);
  if (found.kind === 'refused') return found;
  const now = ctx.clock.now();
  const outcome = await ctx.store.transaction(async (tx) => {
    const item = await tx.lockQueueItem(found.item.id);
    if (item === null) return refused('not-found', `There is no item "${id}" any more`);
    const patch = await change(tx, item);
    if ('kind' in patch) return patch;
    const next = { ...item, ...patch, updatedAt: now };
    await tx.saveQueueItem(next);
    await tx.schedule([queueDue(now)]);
    await expireEscalation(tx, next.id, now);
    const action = change === drop ? 'queue-dropped' : 'queue-retried';
    await tx.audit(auditedItem(next, { action, by, now }));
    return next;
  });
  if ('kind' in outcome) return outcome;
  ctx.hints.due(now);
  return shown(ctx, outcome, by);
}

function drop(_tx: StoreTransaction, item: QueueItemRow): Partial<QueueItemRow> | Refusal {
  if (item.status === 'open') return { status: 'dropped' };
  const message =
    item.status === 'taken'
      ? 'A worker is at this item: see "drover queue show" for who, and stop them with "drover cancel"'
      : `The item is ${item.status} already`;
  return refused(item.status === 'taken' ? 'taken' : 'over', message);
}

async function retry(tx: StoreTransaction, item: QueueItemRow): Promise<Partial<QueueItemRow> | Refusal> {
  if (item.status === 'taken') return refused('taken', 'A worker is at this item already');
  if (item.status === 'open') return { failures: 0 };
  const waiting = await tx.listQueueItems({ projectId: item.projectId, status: WAITING, limit: ITEMS_READ_MAX });
  const same = waiting.find(({ dedupeKey }) => dedupeKey === item.dedupeKey);
  if (same !== undefined) return refused('filed-again', `The same was filed again meanwhile, as ${same.id}`);
  return { status: 'open', failures: 0 };
}

type Found = { readonly kind: 'found'; readonly item: QueueItemRow } | Refusal;

function auditedItem(
  { id, priority, body }: QueueItemRow,
  { action, by, now }: { action: string; by: Actor; now: number },
): NewAudit {
  const details = { priority, sum: sumOf(body) };
  return audited({ at: now, by: causeOf(by), action, about: `item ${id}`, details });
}

/** Only items of the caller's project, if there is one. */
function within({ project }: Reach): { readonly projectId?: string } {
  return project === null ? {} : { projectId: project };
}

/** The item that is named by its id, or by enough of it. */
export async function findItem(ctx: Context, id: string, by: Reach): Promise<Found> {
  const items = await ctx.store.listQueueItems({ limit: ITEMS_READ_MAX, ...within(by) });
  const named = items.filter((item) => item.id.startsWith(id) || item.id.endsWith(id));
  const [item, ...others] = named;
  if (item === undefined)
    return refused('not-found', `There is no item "${id}" in the work queue: see "drover queue --all"`);
  if (others.length > 0) return refused('invalid', `${named.length} items have an id like "${id}": give more of it`);
  return { kind: 'found', item };
}

async function shown(ctx: Context, item: QueueItemRow, by: Reach): Promise<Outcome<QueueItemView>> {
  return { kind: 'ok', value: viewOf(ctx, item, { roster: await readRoster(ctx, by), hands: await handsNow(ctx) }) };
}

/** All workers, as the queue sees them. */
async function handsNow(ctx: Context): Promise<readonly Hand[]> {
  const fleet = await fleetNow(ctx);
  return handsIn(ctx, fleet, fleet.workers);
}

function viewOf(
  ctx: Context,
  item: QueueItemRow,
  { roster: { workers, projects }, hands }: { readonly roster: Roster; readonly hands: readonly Hand[] },
): QueueItemView {
  const { id, priority, title, body, status, workerId, taskId, failures, occurrences, createdAt, updatedAt } = item;
  const foundBy = item.source['worker'];
  const waits = status === 'open' ? waitsFor(item, { workers, failuresMax: failuresMaxIn(ctx, projects) }) : null;
  const placed = placeItem(item, hands);
  return {
    id,
    project: projects.find((project) => project.id === item.projectId)?.name ?? item.projectId,
    priority,
    title,
    body,
    class: item.class,
    status,
    waitsFor: waits,
    nowhere: status === 'open' && waits === null && placed.kind === 'nowhere' ? placed.why : null,
    role: roleOf(item),
    worker: workers.find((worker) => worker.id === workerId)?.name ?? null,
    task: taskId,
    foundBy: typeof foundBy === 'string' ? foundBy : null,
    by: tellCause(item.actor),
    failures,
    occurrences,
    createdAt,
    updatedAt,
  };
}

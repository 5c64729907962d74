/** Shows and changes the work queue. */
import type { Actor, Outcome, QueueFleet, QueueItemView, Refusal } from '@drover/api';
import type { QueueItemRow } from '@drover/store';
import { causeOf, tellCause } from '../../facts/people/causes.ts';
import type { Context } from '../../context/context.ts';
import { fleetNow, handsIn } from '../../facts/placement/spots.ts';
import type { Hand } from '../../facts/placement/spots.ts';
import { theProject } from '../../facts/projects/which.ts';
import { taskTitle } from '../../facts/tasks/title.ts';
import { readRoster } from '../../facts/workers/find.ts';
import type { Reach, Roster } from '../../facts/workers/find.ts';
import { findItem, ITEMS_READ_MAX, WAITING, within } from '../../facts/queue/find-item.ts';
import { auditedItem, dropItem, retryItem } from '../../loop/subjects/queue-items.ts';
import { newItem } from '../../facts/queue/new-item.ts';
import { queueDue } from '../../loop/subjects/queue.ts';
import { placeItem, roleOf, waitsFor } from '../../facts/queue/rules.ts';
import { failuresMaxIn } from '../../facts/queue/failures.ts';
import { DEFAULT_QUEUE } from '../../context/queue-settings.ts';
import { refused } from '../../context/refused.ts';

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
    dropQueueItem: ({ id }, by) => tellChanged(ctx, dropItem(ctx, { id, by }), by),
    retryQueueItem: ({ id }, by) => tellChanged(ctx, retryItem(ctx, { id, by }), by),
  };
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
      return refused('no-project', `The project "${project.name}" no longer exists`);
    const waiting = await tx.listQueueItems({ projectId: project.id, status: WAITING, limit: ITEMS_READ_MAX });
    if (waiting.length >= itemsMax)
      return refused(
        'queue-full',
        `The work queue is full with ${itemsMax} items: drop some, or raise queue.max_items`,
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

type Changed = ReturnType<typeof dropItem>;

async function tellChanged(ctx: Context, changed: Changed, by: Reach): Promise<Outcome<QueueItemView>> {
  const item = await changed;
  return 'kind' in item ? item : shown(ctx, item, by);
}

async function shown(ctx: Context, item: QueueItemRow, by: Reach): Promise<Outcome<QueueItemView>> {
  return { kind: 'ok', value: viewOf(ctx, item, { roster: await readRoster(ctx, by), hands: await handsNow(ctx) }) };
}

/** Lists all workers, as the queue sees them. */
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

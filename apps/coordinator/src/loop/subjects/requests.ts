/** Handles a request to one worker: finds it, lets the policy decide, shows the outcome. A repeated request goes to the same worker. */
import type { WorkerEvent } from '@drover/core';
import type { Actor, RequestView, Outcome, Refusal, WorkerView } from '@drover/api';
import type { StoreTransaction, WorkerRow } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { refused } from '../../context/refused.ts';
import { handleEvent } from '../handle-events.ts';
import type { Handled } from '../handle-events.ts';
import { causeOf } from '../../facts/people/causes.ts';
import { reachesRow, viewWorker } from '../../facts/workers/find.ts';
import type { Found, Reach } from '../../facts/workers/find.ts';

/** A person's request to one worker. */
export interface WorkerRequest {
  /** Client's id of the request. */
  readonly requestId: string;
  readonly by: Actor;
  readonly find: () => Found | Promise<Found>;
  readonly event: EventOf;
}

/** Builds the event of a request, or a refusal. A request that was answered before gets the same answer again. */
type EventOf = (row: WorkerRow, tx: StoreTransaction) => WorkerEvent | Refusal | Promise<WorkerEvent | Refusal>;

export async function requestOf(
  ctx: Context,
  { requestId, by, find, event }: WorkerRequest,
): Promise<Outcome<RequestView>> {
  const found = (await findAsked(ctx, by, requestId)) ?? (await find());
  if (found.kind === 'refused') return found;
  return decideRequest(ctx, { row: found.row, event, requestId, by });
}

/** Finds the worker that got a request with this id, or tells that it is gone: a later namesake is another worker. Null for a new request. */
export async function findAsked({ store }: Context, reach: Reach, requestId: string): Promise<Found | null> {
  const id = await store.workerOfRequest(requestId);
  if (id === null) return null;
  const row = await store.readWorker(id);
  if (row !== null && reachesRow(reach, row)) return { kind: 'found', row };
  return refused('not-found', 'The worker of this request no longer exists');
}

/** Decides one request in one transaction. */
export async function decideRequest(
  ctx: Context,
  { row, event, requestId, by }: { row: WorkerRow; event: EventOf; requestId: string; by: Actor },
): Promise<Outcome<RequestView>> {
  const handled = await ctx.store.transaction(async (tx) => {
    const meant = await event(row, tx);
    if (meant.kind === 'refused') return meant;
    return handleEvent(ctx, tx, { workerId: row.id, event: meant, by: causeOf(by), requestId });
  });
  if (handled !== null && 'kind' in handled) return handled;
  handled?.hint();
  return outcomeOf(row, handled, (saved) => viewWorker(ctx, by, saved));
}

/** Builds the caller's answer from a decision. `handled` is null when the worker is gone. */
export async function outcomeOf(
  { name }: WorkerRow,
  handled: Handled | null,
  view: (saved: WorkerRow) => WorkerView | Promise<WorkerView>,
): Promise<Outcome<RequestView>> {
  if (handled === null) return { kind: 'refused', code: 'not-found', message: `The worker "${name}" no longer exists` };
  const { reply, row } = handled;
  if (reply.kind === 'refused') return { ...reply, message: `${name}: ${reply.message}` };
  return { kind: 'ok', value: { worker: await view(row) } };
}

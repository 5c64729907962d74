/** Waits for the end of an accept, found in the history of its worker, which may have another task by then. */
import type { AcceptFate, Actor, Outcome, TaskFleet } from '@drover/api';
import type { EventRow } from '@drover/store';
import type { Waiters } from '../../context/waiters.ts';
import type { Context } from '../../context/context.ts';
import { refused } from '../../context/refused.ts';
import { reachesRow, viewWorker } from '../../facts/workers/find.ts';
import { followEvents } from '../../facts/workers/follow.ts';
import { findAsked } from '../../loop/subjects/requests.ts';

/** Lines of history that are read at once. */
const PAGE = 100;

/** Answers when the accept has ended, when something else delays it, or after `waitMs`. */
export async function awaitAccept(
  ctx: Context,
  events: Waiters,
  {
    requestId,
    after,
    heldUp: known,
    waitMs,
    by,
    signal,
  }: Parameters<TaskFleet['awaitAccept']>[0] & { readonly by: Actor; readonly signal: AbortSignal | undefined },
): Promise<Outcome<AcceptFate>> {
  const found = await findAsked(ctx, by, requestId);
  if (found === null) return refused('no-accept', `There is no merge request with the id ${requestId}`);
  if (found.kind === 'refused') return found;
  const { id: workerId } = found.row;
  const isHeldUp = (await viewWorker(ctx, by, found.row)).heldUp !== known;
  const until = ctx.clock.now() + (isHeldUp ? 0 : waitMs);
  let last = after ?? (await ctx.store.eventOfRequest(workerId, requestId)) ?? 0;
  for (;;) {
    const left = Math.max(0, until - ctx.clock.now());
    const filter = { of: { workerId }, after: last, limit: PAGE };
    const page = await followEvents(ctx, filter, { events, waitMs: left, ...(signal && { signal }) });
    const end = page.flatMap(({ records }) => records.filter((entry) => entry.kind === 'accept-ended'))[0];
    last = page.at(-1)?.id ?? last;
    // More lines of it may exist already.
    if (end === undefined && page.length > 0 && !page.some(isRed)) continue;
    const row = await ctx.store.readWorker(workerId);
    if (row === null || !reachesRow(by, row))
      return refused('not-found', `${found.row.name} was removed while it was being merged`);
    const worker = await viewWorker(ctx, by, row);
    if (end !== undefined) return { kind: 'ok', value: { kind: 'ended', how: end.how, why: end.why, worker } };
    return { kind: 'ok', value: { kind: 'waits', after: last, worker } };
  }
}

/** Tells whether the accept waits for a broken default branch, which may take days. */
function isRed({ rules }: EventRow): boolean {
  return rules.includes('train:base-red');
}

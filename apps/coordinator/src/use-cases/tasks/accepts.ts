/** Accepts work: of one worker, or of several in one transaction. */
import type { AcceptedTogether, Actor, Outcome, Refusal, RequestView, TaskFleet } from '@drover/api';
import type { WorkerEvent } from '@drover/core';
import type { StoreTransaction, WorkerRow } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { type Handled, handleEvent } from '../../loop/handle-events.ts';
import { causeOf } from '../../facts/people/causes.ts';
import { findWorker, viewWorker } from '../../facts/workers/find.ts';
import { outcomeOf, requestOf } from '../../loop/subjects/requests.ts';
import { findNamedOrReviewed, pinOf } from './reviews.ts';

/** Accepts the work of one worker; without a name, of the worker that the caller reviewed last. */
export async function accept(
  ctx: Context,
  { requestId, name, head, nothing, by }: Parameters<TaskFleet['accept']>[0] & { readonly by: Actor },
): Promise<Outcome<RequestView>> {
  return requestOf(ctx, {
    requestId,
    by,
    find: () => findNamedOrReviewed(ctx, { name, by }),
    event: (row, tx) => acceptOf(tx, { row, by, requestId, head, nothing }),
  });
}

/**
 * Accepts the work of several workers. No part takes its turn before all of it is accepted, however long that takes: no reader sees one
 * without the others. The first in order then conducts a train, which takes along as much as it can.
 */
export async function acceptTogether(
  ctx: Context,
  { items, nothing, by }: Parameters<TaskFleet['acceptTogether']>[0] & { readonly by: Actor },
): Promise<Outcome<AcceptedTogether>> {
  const found = await Promise.all(items.map(async (item) => ({ item, worker: await findWorker(ctx, by, item.name) })));
  const ids = found.flatMap(({ worker }) => (worker.kind === 'found' ? [worker.row.id] : []));
  const decided = await ctx.store.transaction(async (tx) => {
    // A decision on accepted work locks workers first, then the project: so all workers before any decision.
    for (const id of ids.toSorted()) await tx.lockWorker(id);
    const answers: Answer[] = [];
    for (const { item, worker } of found) {
      if (worker.kind === 'refused') {
        answers.push(worker);
        continue;
      }
      const { row } = worker;
      const event = await acceptOf(tx, { ...item, row, by, nothing, more: items.length > 1 });
      if (event.kind === 'refused') answers.push(event);
      else {
        const request = { workerId: row.id, event, by: causeOf(by), requestId: item.requestId };
        answers.push({ kind: 'decided', row, handled: await handleEvent(ctx, tx, request) });
      }
    }
    return answers;
  });
  for (const answer of decided) if (answer.kind === 'decided') answer.handled?.hint();
  const answers = await Promise.all(
    decided.map(async (answer): Promise<AcceptedTogether[number]> => {
      if (answer.kind === 'refused') return { kind: 'refused', code: answer.code, message: answer.message };
      const outcome = await outcomeOf(answer.row, answer.handled, (saved) => viewWorker(ctx, by, saved));
      if (outcome.kind === 'ok') return { kind: 'accepted', worker: outcome.value.worker };
      return { kind: 'refused', code: outcome.code, message: outcome.message };
    }),
  );
  const refusals = answers.flatMap((answer) => (answer.kind === 'refused' ? [answer] : []));
  const [first] = refusals;
  if (first === undefined || refusals.length < answers.length) return { kind: 'ok', value: answers };
  return { ...first, message: refusals.map(({ message }) => message).join('\n') };
}

type Answer =
  | Refusal
  | {
      readonly kind: 'decided';
      readonly row: WorkerRow;
      readonly handled: (Handled & { readonly hint: () => void }) | null;
    };

interface Asked {
  readonly row: WorkerRow;
  readonly by: Actor;
  readonly requestId: string;
  readonly head?: string | undefined;
  readonly nothing?: boolean | undefined;
  readonly more?: boolean;
}

/** Builds the event of an accept: of the commit that the caller has seen. */
async function acceptOf(
  tx: StoreTransaction,
  { row, by, requestId, head, nothing, more = false }: Asked,
): Promise<WorkerEvent | Refusal> {
  // If there is nothing to accept, the policy refuses, also without a review.
  const waits = row.state.lifecycle.status === 'needs_review' && (await tx.findReply(row.id, requestId)) === null;
  if (!waits) return { kind: 'accept-requested', pin: null };
  const meant = pinOf(row.name, { seen: await tx.findReview(row.id, by.id), head });
  return meant.kind === 'refused' ? meant : { kind: 'accept-requested', pin: meant.pin, nothing, more };
}

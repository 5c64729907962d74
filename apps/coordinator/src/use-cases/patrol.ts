/** The patrol: once a minute it cares for work that waits for review, questions, silent machines, old history and parcels. */
import type { StoreTransaction } from '@drover/store';
import type { Context } from './context.ts';
import { careForQuestions } from './escalations/oncall.ts';
import { machineChecksDue } from './machines/lost.ts';
import { pruneParcels } from './parcels/parcels.ts';
import { queueDue } from './queue/records.ts';
import { workerEventDue } from './decisions/event-due.ts';

/** History older than this is removed, in milliseconds. */
export const KEEP_HISTORY_MS = 14 * 24 * 3_600_000;

/**
 * What is needed to decide history again, screens, and finished commands with their results are removed when older than this,
 * in milliseconds: they are nearly all that a worker stores, and a replay is for what happened last night. What they take
 * is told in docs/mechanics.md, "Limits".
 */
export const KEEP_REPLAY_MS = 24 * 3_600_000;

/** The key of the one row that is the patrol. */
export const PATROL_KEY = 'main';

/** One round: schedules what is due, and the next round. */
export async function patrol(ctx: Context, tx: StoreTransaction): Promise<{ readonly hint: () => void }> {
  const now = ctx.clock.now();
  // Removes the row of an earlier process that had a patrol.
  if (ctx.patrolEveryMs === null) return { hint: () => {} };
  const workers = await tx.listWorkers({});
  const reviews = workers.filter(
    ({ state }) => state.lifecycle.status === 'needs_review' && state.merge.accept === null,
  );
  await tx.schedule(reviews.map(({ id }) => workerEventDue(id, { kind: 'default-branch-moved' }, now)));
  const lost = await machineChecksDue(ctx, tx, workers);
  await tx.schedule([queueDue(now), ...lost]);
  await careForQuestions(ctx, tx);
  await tx.prune(now - KEEP_HISTORY_MS);
  await tx.thinHistory(now - KEEP_REPLAY_MS);
  await pruneParcels(tx, now);
  const dueAt = now + ctx.patrolEveryMs;
  await tx.schedule([{ kind: 'patrol', key: PATROL_KEY, dueAt, payload: {} }]);
  return { hint: () => ctx.hints.due(reviews.length + lost.length > 0 ? now : dueAt) };
}

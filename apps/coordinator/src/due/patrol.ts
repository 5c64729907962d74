/**
 * The patrol: once a minute it cares for work that waits for review, questions, silent machines, old history and parcels. Each of these is
 * a transaction of its own: one that takes long, or fails, holds up and undoes none of the others (docs/adr/0004).
 */
import { isAccepting } from '@drover/core';
import type { DueWork, StoreTransaction } from '@drover/store';
import { z } from 'zod';
import { PATROL_KEY } from '../database/prepare.ts';
import type { Context } from '../context/context.ts';
import { careForQuestions } from '../loop/escalations/oncall.ts';
import { expireQueries } from '../loop/subjects/expired-commands.ts';
import { DEFAULT_LEASES } from '../context/leases.ts';
import { machineChecksDue } from '../use-cases/machines/lost.ts';
import { pruneParcels } from '../use-cases/parcels/parcels.ts';
import { queueDue } from '../loop/subjects/queue.ts';
import { workerEventDue } from '../loop/event-due.ts';

/** What ended before this is removed, in milliseconds: history, receipts, tasks, checkpoints of removed workers. */
export const KEEP_HISTORY_MS = 14 * 24 * 3_600_000;

/**
 * What is needed to decide history again, screens, and finished commands with their results are removed when older than this,
 * in milliseconds: they are nearly all that a worker stores, and a replay is for what happened last night. What they take
 * is told in docs/mechanics.md, "Limits".
 */
export const KEEP_REPLAY_MS = 24 * 3_600_000;

/** Rows of history that one transaction removes at most: it holds a lock of each until its end. */
const PRUNED_AT_ONCE = 2_000;
/** Transactions of one round that remove history. What is left then is removed in the next round. */
const PRUNES_MAX = 20;

/** What a round tells the next one. */
const patrolPayload = z.object({
  /** No machine is called silent before, epoch milliseconds: until then it may be that no coordinator could hear it. */
  hearsUntil: z.number().optional(),
});

/**
 * One round. The next one is scheduled first, beside the end of this row: a process that dies in the middle leaves the rest to it.
 *
 * A round that is late by a lease means that no coordinator did anything meanwhile, or had no database. Machines could not be heard, so
 * they get a lease of time to be heard again: else all workers of a fleet would be called lost when it comes back.
 */
export async function patrol(ctx: Context, work: DueWork): Promise<void> {
  const { store, clock } = ctx;
  const { patrolEveryMs, leases = DEFAULT_LEASES } = ctx;
  const now = clock.now();
  const wasAway = now - work.dueAt >= leases.suspectAfterMs;
  const longest = now + leases.disconnectedAfterMs;
  const { hearsUntil = 0 } = wasAway ? { hearsUntil: longest } : patrolPayload.parse(work.payload);
  // A clock that was set back makes it no longer than that.
  const isHearing = hearsUntil > now;
  const payload = isHearing ? { hearsUntil: Math.min(hearsUntil, longest) } : {};
  await store.transaction(async (tx) => {
    await tx.finishDueWork(work);
    // Removes the row of an earlier process that had a patrol.
    if (patrolEveryMs === null) return;
    await tx.schedule([{ kind: 'patrol', key: PATROL_KEY, dueAt: clock.now() + patrolEveryMs, payload }]);
  });
  if (patrolEveryMs === null) return;
  ctx.hints.due(clock.now() + patrolEveryMs);
  for (const step of STEPS) {
    try {
      await step(ctx, { mayCallLost: !isHearing });
    } catch (error) {
      ctx.log('error', `A part of the patrol was not done, and will be tried in the next round: ${String(error)}`);
    }
  }
}

/** What a round goes by. */
interface Round {
  /** Whether a machine that was not heard may be called lost. */
  readonly mayCallLost: boolean;
}

const STEPS: readonly ((ctx: Context, round: Round) => Promise<void>)[] = [
  checkWorkers,
  (ctx) => ctx.store.transaction((tx) => careForQuestions(ctx, tx)),
  (ctx) => inSteps(ctx, (tx) => tx.prune(ctx.clock.now() - KEEP_HISTORY_MS, PRUNED_AT_ONCE)),
  expireQueries,
  (ctx) => inSteps(ctx, (tx) => tx.thinHistory(ctx.clock.now() - KEEP_REPLAY_MS, PRUNED_AT_ONCE)),
  ({ store, clock }) => store.transaction((tx) => pruneParcels(tx, clock.now())),
];

/** Work that waits for review is compared with main, workers of silent machines are checked, and the queue is looked at. */
async function checkWorkers(ctx: Context, { mayCallLost }: Round): Promise<void> {
  const now = ctx.clock.now();
  const inReview = await ctx.store.listRoster({ status: 'needs_review' });
  const due = [
    ...inReview
      .filter(({ state }) => !isAccepting(state.merge.step))
      .map(({ id }) => workerEventDue(id, { kind: 'default-branch-moved' }, now)),
    queueDue(now),
    ...(mayCallLost ? await machineChecksDue(ctx) : []),
  ];
  await ctx.store.transaction((tx) => tx.schedule(due));
  ctx.hints.due(now);
}

/** A few rows at a time: a day of a large fleet is millions of them. `remove` returns whether nothing is left. */
async function inSteps({ store }: Context, remove: (tx: StoreTransaction) => Promise<boolean>): Promise<void> {
  for (let round = 0; round < PRUNES_MAX; round += 1) if (await store.transaction(remove)) return;
}

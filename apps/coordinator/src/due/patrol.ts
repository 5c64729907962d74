/**
 * Patrols once a minute: cares for work that waits for review, questions, silent machines, old history and parcels. Each step has a
 * transaction of its own: a step that takes long, or fails, delays and undoes none of the others (docs/adr/0004).
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

/** Age in milliseconds after which history, receipts, ended tasks and checkpoints of removed workers are deleted. */
export const KEEP_HISTORY_MS = 14 * 24 * 3_600_000;

/**
 * Age in milliseconds after which replay data, screens, and finished commands with their results are deleted. A worker stores little
 * else, and a replay is for the events of last night. Sizes: docs/mechanics.md, "Limits".
 */
export const KEEP_REPLAY_MS = 24 * 3_600_000;

/** Rows of history that one transaction deletes at most: it holds a lock of each until its end. */
const PRUNED_AT_ONCE = 2_000;
/** Transactions of one round that delete history. The next round deletes the rest. */
const PRUNES_MAX = 20;

/** Message from one round to the next. */
const patrolPayload = z.object({
  /** Time before which no machine counts as silent, epoch milliseconds: until then perhaps no coordinator could hear it. */
  hearsUntil: z.number().optional(),
});

/**
 * Runs one round. Schedules the next round first, beside the end of this row: a process that dies in the middle leaves the rest to the
 * next round.
 *
 * A round that is late by a lease means that no coordinator did anything meanwhile, or had no database. Machines could not be heard, so
 * they get a lease of time to be heard again: else all workers of a fleet would count as lost when it comes back.
 */
export async function patrol(ctx: Context, work: DueWork): Promise<void> {
  const { store, clock } = ctx;
  const { patrolEveryMs, leases = DEFAULT_LEASES } = ctx;
  const now = clock.now();
  const wasAway = now - work.dueAt >= leases.suspectAfterMs;
  const longest = now + leases.disconnectedAfterMs;
  const { hearsUntil = 0 } = wasAway ? { hearsUntil: longest } : patrolPayload.parse(work.payload);
  // A clock that was set back makes the wait no longer than that.
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
      ctx.log('error', `A part of the patrol failed, and the next patrol retries it: ${String(error)}`);
    }
  }
}

interface Round {
  /** Tells whether a machine that was not heard may be called lost. */
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

/** Compares work that waits for review with main, checks workers of silent machines, and checks the queue. */
async function checkWorkers(ctx: Context, { mayCallLost }: Round): Promise<void> {
  const now = ctx.clock.now();
  const inReview = await ctx.store.listRoster({ status: 'needs_review' });
  const due = [
    ...inReview
      .filter(({ state }) => !isAccepting(state.merge.step))
      .map(({ id }) => workerEventDue(id, 'default-branch-moved', now)),
    queueDue(now),
    ...(mayCallLost ? await machineChecksDue(ctx) : []),
  ];
  await ctx.store.transaction((tx) => tx.schedule(due));
  ctx.hints.due(now);
}

/** Deletes a few rows at a time: a day of a large fleet is millions of rows. `remove` returns true when nothing is left. */
async function inSteps({ store }: Context, remove: (tx: StoreTransaction) => Promise<boolean>): Promise<void> {
  for (let round = 0; round < PRUNES_MAX; round += 1) if (await store.transaction(remove)) return;
}

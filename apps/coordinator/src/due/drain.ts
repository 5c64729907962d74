/** Does due work: every replica, and every function, does a few rows at a time, each leased to one of them. */
import { DEADLINE_NAMES, invariant } from '@drover/core';
import type { WorkerEvent } from '@drover/core';
import type { DueWork, StoreTransaction, WorkerRow } from '@drover/store';
import { z } from 'zod';
import { sideBySide } from './lanes.ts';
import { accountNews, accountWoke } from '../loop/subjects/accounts.ts';
import { redactorOf } from '../context/context.ts';
import type { Context } from '../context/context.ts';
import { POLICY } from '../facts/people/causes.ts';
import { budgetNews } from '../loop/subjects/budgets.ts';
import { workerEventPayload } from '../loop/event-due.ts';
import { handleEvent } from '../loop/handle-events.ts';
import type { Outcome } from '../loop/handle-events.ts';
import { runDeadlinePayload, runEventPayload } from '../loop/runs/due.ts';
import { handleRunEvent, runWoke } from '../loop/runs/handle.ts';
import { carryOutRunRequest } from '../use-cases/runs/requests/carry-out.ts';
import { escalationWoke, lockAsked } from '../use-cases/escalations/wake.ts';
import { machineNews } from '../use-cases/machines/lost.ts';
import { driveDrain } from '../use-cases/machines/drains/work.ts';
import { driveMove } from '../use-cases/moves/drive.ts';
import { patrol } from './patrol.ts';
import { followDocument } from '../use-cases/projects/follow.ts';
import { takeItem } from '../use-cases/queue/take.ts';

/** Rows that one tick takes at most: the last one must be done well within the lease. */
const BATCH = 20;
/**
 * Milliseconds after which another replica takes a row whose replica died; until then its worker waits. Each further lease of the row is
 * twice as long, up to 51 minutes. A lease only spares the replicas duplicate work: a row that two replicas do takes effect once, because
 * the first changes the state that the row was about (R8).
 */
const LEASE_MS = 3_000;
/** Characters of a problem that are kept for people. */
const PROBLEM_CHARS_MAX = 500;
const deadlinePayload = z.object({ name: z.enum(DEADLINE_NAMES) });
const escalationPayload = z.object({ escalationId: z.string() });
const accountPayload = z.object({ key: z.string() });

/** Limit of a run: no further rows are taken `budgetMs` milliseconds after the start, by a clock that cannot be set. */
export interface Budget {
  readonly budgetMs: number;
  elapsed(): number;
}

/** Limits of a run. */
export interface Until {
  readonly budget?: Budget;
  /** Fires when the process stops: no further rows are taken, however many are due. */
  readonly stopping?: AbortSignal;
}

/** Does all work that is due now, until nothing is left or the budget is spent. @returns the number of rows done. */
export async function drainDueWork(ctx: Context, { budget, stopping }: Until = {}): Promise<number> {
  const end = budget === undefined ? Number.POSITIVE_INFINITY : budget.elapsed() + budget.budgetMs;
  let done = 0;
  for (;;) {
    if (stopping?.aborted === true || (budget !== undefined && budget.elapsed() >= end)) return done;
    await ctx.clock.sync?.();
    const rows = await ctx.store.claimDueWork(ctx.clock.now(), { limit: BATCH, leaseMs: LEASE_MS });
    await sideBySide(rows, (work) => doOne(ctx, work));
    done += rows.length;
    if (rows.length < BATCH) return done;
  }
}

/** Does one row. A row that fails stays, is logged, and is retried when its lease expires, which takes longer each time. */
async function doOne(ctx: Context, work: DueWork): Promise<void> {
  try {
    if (work.kind === 'move' || work.kind === 'leave-place') return await driveMove(ctx, work);
    if (work.kind === 'drain') return await driveDrain(ctx, work);
    if (work.kind === 'patrol') return await patrol(ctx, work);
    if (work.kind === 'project') return await followDocument(ctx, work);
    if (work.kind === 'run-request') return await runRequest(ctx, work);
    const hint = await ctx.store.transaction(async (tx) => {
      const worker = await lockOwner(ctx, tx, work);
      // Runs before the decision, so that the decision may arm the very same time again: a clock that was set back makes it early.
      await tx.finishDueWork(work);
      return (await carryOut(ctx, tx, { work, worker }))?.hint;
    });
    ctx.counters?.done(work.kind, ctx.clock.now() - work.dueAt);
    hint?.();
  } catch (error) {
    const problem = redactorOf(ctx).text(String(error)).slice(0, PROBLEM_CHARS_MAX);
    ctx.log('error', `Due work failed, and Drover retries it: ${work.kind} ${work.key}`, { error: problem });
    await ctx.store.noteDueProblem(work, problem).catch(() => {});
  }
}

async function runRequest(ctx: Context, work: DueWork): Promise<void> {
  const outcome = await carryOutRunRequest(ctx, work);
  outcome?.hint();
}

/**
 * Locks the worker before the rows of its deadlines, as a decision does: in the other order two transactions wait for each other, until
 * Postgres ends one of them a second later.
 *
 * @returns the worker that the row names; null: it names none, or the worker is gone.
 */
async function lockOwner(ctx: Context, tx: StoreTransaction, work: DueWork): Promise<WorkerRow | null> {
  const { kind, payload } = work;
  if (kind === 'worker-deadline' || kind === 'worker-event') return tx.lockWorker(workerOf(work));
  if (kind === 'escalation') await lockAsked(ctx, tx, escalationPayload.parse(payload).escalationId);
  if (kind === 'account') await tx.lockAccount(accountPayload.parse(payload).key, ctx.clock.now());
  return null;
}

interface Owned {
  readonly work: DueWork;
  readonly worker: WorkerRow | null;
}

async function carryOut(
  ctx: Context,
  tx: StoreTransaction,
  { work: { kind, payload }, worker }: Owned,
): Promise<{ readonly hint: () => void } | null> {
  switch (kind) {
    case 'account':
      return accountWoke(ctx, tx, accountPayload.parse(payload).key);
    case 'queue':
      return takeItem(ctx, tx);
    case 'escalation':
      return escalationWoke(ctx, tx, escalationPayload.parse(payload).escalationId);
    case 'worker-deadline': {
      const { name } = deadlinePayload.parse(payload);
      return tell(ctx, tx, { worker, event: { kind: 'deadline-expired', name } });
    }
    case 'worker-event': {
      const { event } = workerEventPayload.parse(payload);
      return worker && tell(ctx, tx, { worker, event: await newsFor(ctx, tx, { worker, kind: event.kind }) });
    }
    case 'run-event':
      return handleRunEvent(ctx, tx, runEventPayload.parse(payload));
    case 'run-deadline':
      return runWoke(ctx, tx, runDeadlinePayload.parse(payload).runId);
    case 'patrol':
    case 'run-request':
    case 'move':
    case 'leave-place':
    case 'drain':
    case 'project':
      return null;
    default:
      return kind satisfies never;
  }
}

function workerOf({ workerId }: DueWork): string {
  invariant(workerId !== undefined, 'The row names no workerId');
  return workerId;
}

/** Tells a worker, whose row is locked; null: it is gone, or there is nothing to tell. */
async function tell(
  ctx: Context,
  tx: StoreTransaction,
  { worker, event }: { readonly worker: WorkerRow | null; readonly event: WorkerEvent | null },
): Promise<Outcome | null> {
  if (worker === null || event === null) return null;
  return handleEvent(ctx, tx, { workerId: worker.id, event, by: POLICY, locked: worker });
}

/** Finds what a worker hears of an event that other workers caused, or of state that it shares with them; null: nothing. */
async function newsFor(
  ctx: Context,
  tx: StoreTransaction,
  { worker, kind }: { readonly worker: WorkerRow; readonly kind: z.infer<typeof workerEventPayload>['event']['kind'] },
): Promise<WorkerEvent | null> {
  switch (kind) {
    case 'default-branch-moved':
    case 'trust-decided':
      return { kind };
    case 'account':
      return accountNews(ctx, tx, worker);
    case 'budget':
    case 'day':
      return budgetNews(ctx, tx, worker);
    case 'machine':
      return machineNews(ctx, tx, worker);
    default:
      return kind satisfies never;
  }
}

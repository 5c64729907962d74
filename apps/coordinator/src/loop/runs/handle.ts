/**
 * Handles an event of a run in the caller's transaction: locks the run and never a worker, decides, and saves the run, the event, its requests
 * as due work, its questions and its deadline.
 */
import { allItems, decideRun, isOver } from '@drover/core';
import type { RunDecision, RunEvent, RunRequest } from '@drover/core';
import type { Cause, Project, RunRow, StoreTransaction } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { policyInForce } from '../../facts/policies/in-force.ts';
import { requestRow, runDeadlineDue, runRequestDue } from './due.ts';
import { noteRunErrors } from './errors.ts';
import { askOfRun, closeQuestions } from './questions.ts';
import { asItIsNow } from './worker.ts';

/** An event for a run. `id`: the same event counts once (W8). */
export interface RunHears {
  readonly runId: string;
  readonly id: string;
  readonly event: RunEvent;
  readonly by: Cause;
}

/** Result of an event. Call the hint after the commit. */
export interface RunHandled {
  readonly row: RunRow;
  readonly refused: RunDecision['refused'];
  readonly hint: () => void;
}

/** @returns null when the run is gone, or has heard this event. */
export async function handleRunEvent(
  ctx: Context,
  tx: StoreTransaction,
  { runId, id, event: told, by }: RunHears,
): Promise<RunHandled | null> {
  const row = await tx.lockRun(runId);
  if (row === null || (await tx.hasRunEvent(runId, id))) return null;
  const project = await tx.readProject(row.projectId);
  if (project === null) return null;
  const now = ctx.clock.now();
  const { policy } = policyInForce(ctx, project, '');
  const event = await asItIsNow(tx, row, told);
  const decision = decideRun(row.state, event, { now, random: ctx.random(), policy });
  // A refused request of a person leaves no trace: it may come again, corrected.
  if (decision.refused !== null) return { row, refused: decision.refused, hint: () => {} };
  const next = rowAfter(row, decision, now);
  await tx.saveRun(next);
  const { rules, records } = decision;
  await tx.insertRunEvent({
    runId,
    seq: next.seq,
    eventId: id,
    at: now,
    kind: event.kind,
    event,
    actor: by,
    rules,
    records,
  });
  await noteRunErrors(ctx, tx, { row: next, project, records, now });
  await carryOn(ctx, tx, { before: row, row: next, project, decision, event, by });
  const hint = (): void => {
    ctx.hints.events(row.id);
    ctx.hints.due(now);
  };
  return { row: next, refused: null, hint };
}

function rowAfter(row: RunRow, { run }: RunDecision, now: number): RunRow {
  const endedAt = isOver(run) ? (row.endedAt ?? now) : null;
  return { ...row, state: run, status: run.status, seq: row.seq + 1, updatedAt: now, endedAt };
}

interface Carrying {
  readonly before: RunRow;
  readonly row: RunRow;
  readonly project: Project;
  readonly decision: RunDecision;
  readonly event: RunEvent;
  readonly by: Cause;
}

async function carryOn(
  ctx: Context,
  tx: StoreTransaction,
  { before, row, project, decision, event, by }: Carrying,
): Promise<void> {
  const now = ctx.clock.now();
  await closeQuestions(tx, { before, after: row, event, by, now });
  await wakeStarts(ctx, tx, { before, row });
  const others: RunRequest[] = [];
  for (const request of decision.requests) {
    if (request.kind === 'ask') await askOfRun(ctx, tx, { row, project, question: request.question });
    else if (request.kind !== 'withdraw') others.push(request);
  }
  const due = Math.min(...Object.values(decision.deadlines));
  await tx.schedule([
    ...others.map((request) => runRequestDue({ runId: row.id, request }, request.kind === 'forget' ? request.at : now)),
    ...(Number.isFinite(due) ? [runDeadlineDue(row.id, due)] : []),
  ]);
  if (Number.isFinite(due)) ctx.hints.due(due);
}

/** Makes placements due at once when the run ends or pauses: they may be waiting for commits on their way. */
async function wakeStarts(
  ctx: Context,
  tx: StoreTransaction,
  { before, row }: Pick<Carrying, 'before' | 'row'>,
): Promise<void> {
  const { ending, paused } = row.state;
  if ((ending === null || before.state.ending !== null) && (paused === null || before.state.paused !== null)) return;
  const now = ctx.clock.now();
  for (const { progress } of allItems(row.state))
    if (progress.kind === 'placing') await tx.hastenDueWork(requestRow(row.id, progress.request), now);
}

/** Tells the run of every deadline that has come. */
export async function runWoke(
  ctx: Context,
  tx: StoreTransaction,
  runId: string,
): Promise<{ readonly hint: () => void } | null> {
  const row = await tx.lockRun(runId);
  if (row === null || row.endedAt !== null) return null;
  const now = ctx.clock.now();
  let hint: (() => void) | null = null;
  for (const [name, at] of Object.entries(row.state.deadlines)) {
    if (at > now) continue;
    const event = { kind: 'deadline', name: name as keyof typeof row.state.deadlines } as const;
    const heard = { runId, id: `deadline ${name} ${row.seq} ${at}`, event, by: { kind: 'policy' } as const };
    hint = (await handleRunEvent(ctx, tx, heard))?.hint ?? hint;
  }
  // Woken early, after a clock that was set back.
  const next = Math.min(...Object.values((await tx.lockRun(runId))?.state.deadlines ?? {}));
  if (hint === null && Number.isFinite(next)) await tx.schedule([runDeadlineDue(runId, next)]);
  return hint === null ? null : { hint };
}

/** Counts what tasks use, as the machine of the worker reports it, and tells the run of a task. */
import { addToDay, dayOf, runOf } from '@drover/core';
import type { Observation } from '@drover/protocol';
import type { Machine, StoreTransaction, WorkerRow } from '@drover/store';
import type { Context } from '../context/context.ts';
import { oncallPolicyOf } from './escalations/oncall.ts';
import { runEventDue } from './runs/due.ts';
import { spreadUse } from './subjects/budgets.ts';

interface Reporting {
  readonly ctx: Context;
  readonly tx: StoreTransaction;
  readonly machine: Machine;
  readonly agentEpoch: string;
}

type Told = Extract<Observation['body'], { kind: 'usage' }> & { readonly seq: number };

/** `missing`: workers of which the machine has spoken, and that are not on it. Call the hints after the commit. */
interface UsageTold {
  readonly missing: readonly string[];
  readonly hints: readonly (() => void)[];
}

/** The caller holds the row of the machine, so that no two reports on a task are counted at once. */
export async function tellUsage(reporting: Reporting, news: readonly Observation[]): Promise<UsageTold> {
  const told = news.flatMap(({ seq, body }) => (body.kind === 'usage' ? [{ ...body, seq }] : []));
  if (told.length === 0) return { missing: [], hints: [] };
  const { ctx, tx, machine } = reporting;
  const workers = new Map((await tx.listWorkers({ machineId: machine.id })).map((worker) => [worker.id, worker]));
  const now = ctx.clock.now();
  for (const one of told) {
    const worker = workers.get(one.workerId);
    if (worker !== undefined) await count(reporting, worker, { ...one, now });
  }
  const due = told.flatMap((one) => runEvent(reporting, workers.get(one.workerId), one));
  await tx.schedule(due);
  const missing = told.map(({ workerId }) => workerId).filter((id) => !workers.has(id));
  return { missing, hints: due.length === 0 ? [] : [() => ctx.hints.due(now)] };
}

/** Days of one task that are read at most: its history is kept for fewer. */
const DAYS_MAX = 1_000;

async function count(
  { ctx, tx }: Reporting,
  row: WorkerRow,
  { task: taskId, since, usage, workedMs, now }: Told & { readonly now: number },
): Promise<void> {
  const { id: workerId, name: workerName, projectId } = row;
  const project = await tx.readProject(projectId);
  if (project === null) return;
  const of = { workerId, taskId, since, projectId, workerName };
  const known = (await tx.listUsage({ taskId, limit: DAYS_MAX })).filter(
    (one) => one.workerId === workerId && one.since === since,
  );
  const day = dayOf(now, oncallPolicyOf(project).zone);
  await tx.saveUsage({ ...of, ...addToDay(known, { day, usage, workedMs }) });
  await spreadUse(ctx, tx, { project, row });
}

/** A report counts for the item that its worker has in hand: a late one, or one of another item, changes nothing. */
function runEvent(
  { ctx, machine, agentEpoch }: Reporting,
  worker: WorkerRow | undefined,
  { of, usage, seq }: Told,
): ReturnType<typeof runEventDue>[] {
  const hand = worker === undefined ? null : runOf(worker.state.task);
  if (of === undefined || usage === null || hand?.runId !== of.runId) return [];
  const { runId, item, attempt } = of;
  if (hand.item !== item || hand.attempt !== attempt) return [];
  const by = { kind: 'machine', id: machine.id, name: machine.name } as const;
  const event = { kind: 'usage', item, attempt, usage } as const;
  return [runEventDue({ runId, id: `usage ${agentEpoch} ${seq}`, event, by }, ctx.clock.now())];
}

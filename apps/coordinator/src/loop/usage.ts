/** Counts what tasks use, as the machine of the worker reports it, and tells the run of a task. */
import { addToDay, dayOf, runOf } from '@drover/core';
import type { Observation } from '@drover/protocol';
import type { DueWork, Machine, Project, StoreTransaction, WorkerRow } from '@drover/store';
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

type Counted = Extract<Observation['body'], { kind: 'usage' }> & { readonly seq: number; readonly row: WorkerRow };

/** `missing`: workers of which the machine has spoken, and that are not on it. `due`: work for after the decisions of the batch. */
interface UsageTold {
  readonly missing: readonly string[];
  readonly due: readonly DueWork[];
}

/** The caller holds the row of the machine, so that no two reports on a task are counted at once. */
export async function tellUsage(reporting: Reporting, news: readonly Observation[]): Promise<UsageTold> {
  const told = news.flatMap(({ seq, body }) => (body.kind === 'usage' ? [{ ...body, seq }] : []));
  if (told.length === 0) return { missing: [], due: [] };
  const { ctx, tx, machine } = reporting;
  const workers = new Map((await tx.listWorkers({ machineId: machine.id })).map((worker) => [worker.id, worker]));
  const counted = told.flatMap((one) => {
    const row = workers.get(one.workerId);
    return row === undefined ? [] : [{ ...one, row }];
  });
  const due: DueWork[] = counted.flatMap((one) => runEvent(reporting, one));
  for (const [projectId, reports] of Map.groupBy(counted, ({ row }) => row.projectId)) {
    const project = await tx.readProject(projectId);
    if (project === null) continue;
    for (const one of reports) await count(reporting, project, one);
    due.push(...(await spreadUse(ctx, tx, { project, reporters: new Set(reports.map(({ workerId }) => workerId)) })));
  }
  const missing = told.map(({ workerId }) => workerId).filter((id) => !workers.has(id));
  return { missing, due };
}

/** Days of one task that are read at most. */
const DAYS_MAX = 1_000;

async function count({ ctx, tx }: Reporting, project: Project, { row, ...report }: Counted): Promise<void> {
  const { task: taskId, since, usage, workedMs, workerId } = report;
  const known = await tx.listUsage({ taskId, workerId, since, limit: DAYS_MAX });
  const day = dayOf(ctx.clock.now(), oncallPolicyOf(project).zone);
  const of = { workerId, taskId, since, projectId: row.projectId, workerName: row.name };
  await tx.saveUsage({ ...of, ...addToDay(known, { day, usage, workedMs }) });
}

/** A report counts for the item that its worker has in hand: a late one, or one of another item, changes nothing. */
function runEvent(
  { ctx, machine, agentEpoch }: Reporting,
  { row, of, since, usage, seq }: Counted,
): ReturnType<typeof runEventDue>[] {
  const hand = runOf(row.state.task);
  if (of === undefined || usage === null || hand?.runId !== of.runId) return [];
  const { runId, item, attempt } = of;
  if (hand.item !== item || hand.attempt !== attempt) return [];
  const by = { kind: 'machine', id: machine.id, name: machine.name } as const;
  const event = { kind: 'usage', item, attempt, since, usage } as const;
  return [runEventDue({ runId, id: `usage ${agentEpoch} ${seq}`, event, by }, ctx.clock.now())];
}

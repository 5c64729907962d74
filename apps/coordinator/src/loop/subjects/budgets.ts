/** Tells workers what is spent of the budgets that they are under. */
import { BUDGET_SCOPES, dayOf, inHand, isBudgetNews, mostSpent, runOf, sumTold, useOf } from '@drover/core';
import type { BudgetScope, BudgetUse, WorkerEvent } from '@drover/core';
import type { Project, StoreTransaction, UsageRow, WorkerRow } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { policyInForce } from '../../facts/policies/in-force.ts';
import { oncallPolicyOf } from '../escalations/oncall.ts';
import { workerEventDue } from '../event-due.ts';
import { runEventDue } from '../runs/due.ts';

/** Rows of use that are added up at most: tasks and days of one project within the history. */
const ROWS_MAX = 100_000;
const DAY_MS = 24 * 3_600_000;

export function hasBudgets({ config: { budget = {} } }: Project): boolean {
  return Object.keys(budget).length > 0;
}

/**
 * Builds the event for a worker whose row is locked; null: it is under no budget, and never was. A worker that is stopped for the day looks again
 * on the next.
 */
export async function budgetNews(
  ctx: Context,
  tx: StoreTransaction,
  row: WorkerRow,
): Promise<Extract<WorkerEvent, { kind: 'budget-told' }> | null> {
  const project = await tx.readProject(row.projectId);
  if (project === null || (!hasBudgets(project) && row.state.budget.mark.kind === 'open')) return null;
  const day = dayAt(ctx.clock.now(), project);
  const uses = usesOf(await readRows(tx, project, day.begin), { project, row, day: day.begin });
  const isOfToday = uses.some(({ scope, share }) => scope === 'day' && share >= 1);
  const mayEnd = Object.values(row.state.budget.allowed).some(({ until }) => until !== null);
  if (isOfToday || mayEnd) await tx.schedule([workerEventDue(row.id, 'day', day.end)]);
  return { kind: 'budget-told', uses, dayEndsAt: day.end };
}

/** Has all workers of a project look at their budgets. */
export async function tellBudgets(tx: StoreTransaction, projectId: string, now: number): Promise<void> {
  const workers = await tx.listRoster({ projectId });
  await tx.schedule(
    workers.map(({ id }) => workerEventDue(id, 'budget', now)).toSorted((one, other) => (one.key < other.key ? -1 : 1)),
  );
}

/** Has those workers look at their budgets to whom a report of one of them is news, and pauses the runs that they work for. */
export async function spreadUse(
  ctx: Context,
  tx: StoreTransaction,
  { project, row }: { readonly project: Project; readonly row: WorkerRow },
): Promise<void> {
  if (!hasBudgets(project)) return;
  const now = ctx.clock.now();
  const day = dayAt(now, project);
  const rows = await readRows(tx, project, day.begin);
  const workers = await tx.listWorkers({ projectId: project.id });
  const due = workers
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .flatMap((worker) => {
      const uses = usesOf(rows, { project, row: worker, day: day.begin });
      const { nearShare } = policyInForce(ctx, project, worker.name).policy.run;
      const news = isBudgetNews(worker.state, uses, { now, nearShare })
        ? [workerEventDue(worker.id, 'budget', now)]
        : [];
      return worker.id === row.id || news.length > 0
        ? [...news, ...pauseOf(worker, { uses, now, day: day.begin })]
        : [];
    });
  await tx.schedule(due);
  if (due.length > 0) ctx.hints.due(now);
}

/** Pauses the run of a worker, once for each budget and day: a person who resumes it lets it go on. */
function pauseOf(
  { state }: WorkerRow,
  { uses, now, day }: { readonly uses: readonly BudgetUse[]; readonly now: number; readonly day: number },
): ReturnType<typeof runEventDue>[] {
  const run = runOf(state.task);
  const most = mostSpent(state.budget, uses, now);
  if (run === null || most === null || most.part < 1) return [];
  const { scope, words } = most.use;
  const event = { kind: 'person-acted', act: 'pause', by: `the spent budget of the ${scope} (${words})` } as const;
  return [runEventDue({ runId: run.runId, id: `budget ${scope} ${day}`, event, by: { kind: 'policy' } }, now)];
}

function dayAt(now: number, project: Project): { readonly begin: number; readonly end: number } {
  const { zone } = oncallPolicyOf(project);
  const begin = dayOf(now, zone);
  // A day has up to 25 hours: the end is the begin of the day in which the 26th hour lies.
  return { begin, end: dayOf(begin + DAY_MS + 2 * 3_600_000, zone) };
}

/** Reads what the budgets of a project need: only those of the day need no more than today. */
async function readRows(tx: StoreTransaction, { id, config }: Project, today: number): Promise<readonly UsageRow[]> {
  const isOfToday = Object.keys(config.budget ?? {}).every((scope) => scope === 'day');
  return tx.listUsage({ projectId: id, limit: ROWS_MAX, ...(isOfToday && { since: today }) });
}

function usesOf(
  rows: readonly UsageRow[],
  { project, row, day }: { readonly project: Project; readonly row: WorkerRow; readonly day: number },
): readonly BudgetUse[] {
  const { task } = row.state;
  const own = runOf(task) === null ? inHand(task)?.id : undefined;
  const isOf: Readonly<Record<BudgetScope, (used: UsageRow) => boolean>> = {
    task: ({ taskId }) => taskId === own,
    worker: ({ workerId }) => workerId === row.id,
    project: () => true,
    day: (used) => used.day === day,
  };
  return BUDGET_SCOPES.flatMap((scope) => {
    const limits = project.config.budget?.[scope];
    return limits === undefined ? [] : [useOf(scope, limits, spentIn(rows.filter(isOf[scope])))];
  });
}

function spentIn(rows: readonly UsageRow[]): Parameters<typeof useOf>[2] {
  return {
    timeMs: rows.reduce((sum, { workedMs }) => sum + workedMs, 0),
    tokens: sumTold(rows.flatMap(({ input, output }) => [input, output])),
    cached: sumTold(rows.map(({ cached }) => cached)),
    money: sumTold(rows.map(({ money }) => money)),
  };
}

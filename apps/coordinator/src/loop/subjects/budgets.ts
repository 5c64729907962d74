/** Tells workers what is spent of the budgets that they are under. */
import {
  allowedFor,
  BUDGET_SCOPES,
  dayOf,
  inHand,
  isBudgetNews,
  mostSpent,
  NOTHING_ALLOWED,
  runOf,
  sumTold,
  useOf,
} from '@drover/core';
import type { BudgetSpent, BudgetUse, WorkerEvent } from '@drover/core';
import type { DueWork, Project, RunRow, StoreTransaction, UsageSum, WorkerRow } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { POLICY } from '../../facts/people/causes.ts';
import { policyInForce } from '../../facts/policies/in-force.ts';
import { oncallPolicyOf } from '../escalations/oncall.ts';
import { workerEventDue } from '../event-due.ts';
import { runEventDue } from '../runs/due.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Days, today among them, for which the budgets of a task, a worker and a project count. */
const DAYS_COUNTED = 14;

export function hasBudgets({ config: { budget = {} } }: Project): boolean {
  return Object.keys(budget).length > 0;
}

/**
 * Builds the event for a worker whose row is locked; null: it is under no budget, and never was. A worker whose budget is spent looks again on the
 * next day: the days that are counted have moved on.
 */
export async function budgetNews(
  ctx: Context,
  tx: StoreTransaction,
  row: WorkerRow,
): Promise<Extract<WorkerEvent, { kind: 'budget-told' }> | null> {
  const project = await tx.readProject(row.projectId);
  if (project === null || (!hasBudgets(project) && row.state.budget.mark.kind === 'open')) return null;
  const day = dayAt(ctx.clock.now(), project);
  const uses = usesOf(await sumUses(tx, { project, workers: [row], day: day.begin }), row.state.task, row.id);
  const isSpent = uses.some(({ share }) => share >= 1);
  const mayEnd = Object.values(row.state.budget.allowed).some(({ until }) => until !== null);
  if (isSpent || mayEnd) await tx.schedule([workerEventDue(row.id, 'day', day.end)]);
  return { kind: 'budget-told', uses, dayEndsAt: day.end };
}

/** Open runs of a project that hear of a change at most. */
const RUNS_MAX = 1_000;

/** Has all workers of a project look at their budgets, and runs that wait for one place their work. */
export async function tellBudgets(tx: StoreTransaction, projectId: string, now: number): Promise<void> {
  const workers = await tx.listRoster({ projectId });
  const runs = await tx.listRuns({ projectId, open: true, limit: RUNS_MAX });
  const event = { kind: 'budget-changed' } as const;
  await tx.schedule(runs.map(({ id }) => runEventDue({ runId: id, id: `budgets ${now}`, event, by: POLICY }, now)));
  await tx.schedule(
    workers.map(({ id }) => workerEventDue(id, 'budget', now)).toSorted((one, other) => (one.key < other.key ? -1 : 1)),
  );
}

/** Lists looks at the budgets of a project, by those workers to whom its use is news, and what the runs hear that they work for. */
export async function spreadUse(
  ctx: Context,
  tx: StoreTransaction,
  { project, reporters }: { readonly project: Project; readonly reporters: ReadonlySet<string> },
): Promise<readonly DueWork[]> {
  if (!hasBudgets(project)) return [];
  const now = ctx.clock.now();
  const day = dayAt(now, project);
  const workers = await tx.listWorkers({ projectId: project.id });
  const sums = await sumUses(tx, { project, workers, day: day.begin });
  return workers.flatMap((worker) => {
    const uses = usesOf(sums, worker.state.task, worker.id);
    const { nearShare } = policyInForce(ctx, project, worker.name).policy.run;
    const isNews = isBudgetNews(worker.state, uses, { now, nearShare });
    const look = isNews ? [workerEventDue(worker.id, 'budget', now)] : [];
    return isNews || reporters.has(worker.id) ? [...look, ...runNews(worker, { uses, nearShare, now })] : [];
  });
}

/** Tells the run of a worker near the end of a budget. */
function runNews(
  { id, state }: WorkerRow,
  { uses, nearShare, now }: { readonly uses: readonly BudgetUse[]; readonly nearShare: number; readonly now: number },
): ReturnType<typeof runEventDue>[] {
  const run = runOf(state.task);
  const most = mostSpent(NOTHING_ALLOWED, uses, now);
  if (run === null || most === null || most.part < nearShare) return [];
  const event = { kind: 'budget-told', workerId: id, uses } as const;
  // The share gives each report its own id: an earlier report may have arrived while the work was being placed, and words are rounded.
  const of = `budget ${id} ${run.item} ${run.attempt} ${most.use.scope} ${most.use.share}`;
  return [runEventDue({ runId: run.runId, id: of, event, by: POLICY }, now)];
}

type Reader = Pick<StoreTransaction, 'readProject' | 'sumUsage'>;

interface Spending {
  readonly run: Pick<RunRow, 'projectId' | 'state'>;
  readonly workerId: string;
}

/** Returns the budget that forbids a turn of a worker for a run; null: there is room. */
export async function spentFor(ctx: Context, tx: Reader, { run, workerId }: Spending): Promise<BudgetSpent | null> {
  const { usesOfWorker, day } = await usesFor(ctx, tx, run);
  const most = mostSpent(allowedFor(run.state, workerId), usesOfWorker(workerId), ctx.clock.now());
  return most === null || most.part < 1 ? null : { use: most.use, workerId, dayEndsAt: day.end };
}

/** Returns the workers whose own budget is spent for a run. */
export async function workersSpent(
  ctx: Context,
  tx: Reader,
  { run, workerIds }: { readonly run: Spending['run']; readonly workerIds: readonly string[] },
): Promise<ReadonlyMap<string, BudgetSpent>> {
  const { usesOfWorker, day } = await usesFor(ctx, tx, run);
  const spent = workerIds.flatMap((workerId): readonly BudgetSpent[] => {
    const own = usesOfWorker(workerId).filter(({ scope }) => scope === 'worker');
    const most = mostSpent(allowedFor(run.state, workerId), own, ctx.clock.now());
    return most === null || most.part < 1 ? [] : [{ use: most.use, workerId, dayEndsAt: day.end }];
  });
  return new Map(spent.map((one) => [one.workerId, one]));
}

/** Returns by now what a question says of a spent budget; null: there is no such budget any more. */
export async function spentByNow(
  ctx: Context,
  tx: Reader,
  { run, asked: { use, workerId } }: { readonly run: Spending['run']; readonly asked: BudgetSpent },
): Promise<BudgetSpent | null> {
  const { usesOfWorker, day } = await usesFor(ctx, tx, run);
  const now = usesOfWorker(workerId).find(({ scope }) => scope === use.scope);
  return now === undefined ? null : { use: now, workerId, dayEndsAt: day.end };
}

/** Reads the uses that count for the work of runs. */
async function usesFor(
  ctx: Context,
  tx: Reader,
  { projectId }: Spending['run'],
): Promise<{ readonly usesOfWorker: (workerId: string) => readonly BudgetUse[]; readonly day: Day }> {
  const project = await tx.readProject(projectId);
  if (project === null || !hasBudgets(project)) return { usesOfWorker: () => [], day: { begin: 0, end: 0 } };
  const day = dayAt(ctx.clock.now(), project);
  const sums = await sumUses(tx, { project, workers: [], day: day.begin });
  return { usesOfWorker: (workerId) => usesOf(sums, null, workerId), day };
}

interface Day {
  readonly begin: number;
  readonly end: number;
}

function dayAt(now: number, project: Project): Day {
  const { zone } = oncallPolicyOf(project);
  const begin = dayOf(now, zone);
  // A day has up to 25 hours: the end is the begin of the day in which the 26th hour lies.
  return { begin, end: dayOf(begin + DAY_MS + 2 * HOUR_MS, zone) };
}

interface Sums {
  readonly limits: NonNullable<Project['config']['budget']>;
  readonly all: readonly UsageSum[];
  readonly byWorker: ReadonlyMap<string, readonly UsageSum[]>;
}

/** Has the database add up what the budgets of a project need: only those of the day need no more than today. */
async function sumUses(
  tx: Pick<StoreTransaction, 'sumUsage'>,
  {
    project,
    workers,
    day,
  }: { readonly project: Project; readonly workers: readonly WorkerRow[]; readonly day: number },
): Promise<Sums> {
  const { budget: limits = {} } = project.config;
  const isOfToday = Object.keys(limits).every((scope) => scope === 'day');
  // A day may begin an hour earlier or later than 24 hours before the next one.
  const sinceDay = isOfToday ? day : day - DAYS_COUNTED * DAY_MS + 2 * HOUR_MS;
  const taskIds = limits.task === undefined ? [] : workers.flatMap(({ state }) => ownTaskOf(state.task) ?? []);
  const all = await tx.sumUsage({ projectId: project.id, sinceDay, today: day, taskIds });
  return { limits, all, byWorker: Map.groupBy(all, ({ workerId }) => workerId) };
}

function ownTaskOf(task: WorkerRow['state']['task']): string | undefined {
  return runOf(task) === null ? inHand(task)?.id : undefined;
}

function usesOf(
  { limits, all, byWorker }: Sums,
  task: WorkerRow['state']['task'] | null,
  workerId: string,
): readonly BudgetUse[] {
  const own = byWorker.get(workerId) ?? [];
  const ownTask = task === null ? undefined : ownTaskOf(task);
  const spent = {
    task: own.filter(({ taskId }) => taskId !== null && taskId === ownTask),
    worker: own,
    project: all,
    day: all.filter(({ isToday }) => isToday),
  };
  return BUDGET_SCOPES.flatMap((scope) => {
    const budget = limits[scope];
    return budget === undefined ? [] : [useOf(scope, budget, spentIn(spent[scope]))];
  });
}

function spentIn(sums: readonly UsageSum[]): Parameters<typeof useOf>[2] {
  return {
    timeMs: sums.reduce((all, { workedMs }) => all + workedMs, 0),
    tokens: sumTold(sums.flatMap(({ input, output }) => [input, output])),
    cached: sumTold(sums.map(({ cached }) => cached)),
    money: sumTold(sums.map(({ money }) => money)),
  };
}

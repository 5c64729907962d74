/** Places an item of a run: chooses a worker by the policy of places, and gives it the text. */
import { ANYWHERE, place } from '@drover/core';
import type { PlaceWish, RunOutcome } from '@drover/core';
import type { Project, RunRow, StoreTransaction, WorkerRow } from '@drover/store';
import { accountKeyOf } from '../../../context/account-key.ts';
import type { Context } from '../../../context/context.ts';
import { heldMachine, whyNoWork } from '../../../facts/machines/closed.ts';
import { POLICY } from '../../../facts/people/causes.ts';
import { fleetNow, handsIn } from '../../../facts/placement/spots.ts';
import type { FleetNow, Hand } from '../../../facts/placement/spots.ts';
import { placed } from '../../../facts/projects/place.ts';
import { isIdleInPool } from '../../../facts/queue/rules.ts';
import { runTaskText } from '../../../facts/tasks/text.ts';
import { handleEvent } from '../../../loop/handle-events.ts';
import { settle } from '../../../loop/runs/settle.ts';
import { hasBudgets, spentFor } from '../../../loop/subjects/budgets.ts';
import type { Carried } from './carried.ts';
import { overBudget } from './hold.ts';

type NotPlaced = Extract<RunOutcome, { readonly kind: 'not-placed' }>;

type Chosen = { readonly kind: 'hand'; readonly hand: Hand; readonly why: string } | NotPlaced;

export async function start(ctx: Context, carried: Carried<'start'>): Promise<{ readonly hint: () => void }> {
  const { work, run } = carried;
  const fleet = await fleetNow(ctx);
  const project = fleet.projects.find(({ id }) => id === run.projectId);
  const chosen = project === undefined ? nowhere(carried, 'never', 'its project is gone') : choose(ctx, fleet, carried);
  const hint = await ctx.store.transaction(async (tx) => {
    if (chosen.kind === 'not-placed' || project === undefined) {
      const outcome = chosen.kind === 'not-placed' ? chosen : null;
      return settle(ctx, tx, { work, runId: run.id, outcome });
    }
    return give(ctx, tx, { carried, project, chosen });
  });
  return { hint };
}

/** Chooses among the workers of the run's machine, which has its commits. */
function choose(ctx: Context, fleet: FleetNow<WorkerRow>, carried: Carried<'start'>): Chosen {
  const { run, request } = carried;
  const rows = fleet.workers.filter(
    ({ projectId, machineId }) => projectId === run.projectId && machineId === run.machineId,
  );
  const hands = handsIn(ctx, fleet, rows);
  const { wish } = request;
  // A fleet in which nobody has the role lets anybody do it.
  const wanted = {
    ...ANYWHERE,
    role: hands.some(({ worker }) => worker?.role === wish.role) ? wish.role : null,
    notYet: [...wish.notYet, ...rows.filter(isSpent).map(({ id }) => id)],
    profile: wish.profile,
    notProfiles: wish.notProfiles,
    notWorkers: wish.notWorkers,
  };
  const chosen = place(wanted, hands);
  if (chosen.kind === 'placed') return { kind: 'hand', hand: chosen.spot, why: chosen.why };
  const rules = new Map(chosen.refused.map(({ name, rule }) => [name, rule]));
  const fitting = hands.filter(({ row }) => !NEVER.has(rules.get(row.name) ?? ''));
  if (fitting.length === 0) return nowhere(carried, 'never', tellNever(run, hands, wish));
  const isAll = (rule: string): boolean => fitting.every(({ row }) => rules.get(row.name) === rule);
  const why = isAll('account') ? 'account' : isAll('machine-state') ? 'machine' : 'busy';
  const limited = why === 'account' ? limitOf(ctx, fleet, fitting) : {};
  return { ...nowhere(carried, why, chosen.why), ...limited };
}

/** Tells whether the worker's own budget is spent: another one may have room. */
function isSpent({ state: { budget } }: WorkerRow): boolean {
  return budget.mark.kind === 'spent' && budget.mark.use.scope === 'worker';
}

/** Rules that no time changes. */
const NEVER: ReadonlySet<string> = new Set(['role', 'profile', 'author', 'label', 'pool']);

function limitOf(ctx: Context, { accounts }: FleetNow, fitting: readonly Hand[]): Pick<NotPlaced, 'account' | 'until'> {
  const limits = fitting.map(({ row }) => {
    const account = accountKeyOf(ctx, row);
    const state = accounts.get(account);
    return { account, until: state === undefined || state.kind === 'open' ? null : state.wakeAt };
  });
  const [first] = limits.toSorted((one, other) => (one.until ?? 0) - (other.until ?? 0));
  return first ?? { account: null, until: null };
}

function tellNever({ machineId }: RunRow, hands: readonly Hand[], wish: PlaceWish): string {
  if (hands.length === 0) return `no worker of the project is on the machine ${machineId}, which has the run's commits`;
  const wants = [
    ...(wish.role === '' ? [] : [`the role "${wish.role}"`]),
    ...(wish.profile === null ? [] : [`the profile "${wish.profile}"`]),
    ...(wish.notProfiles.length === 0 ? [] : [`another profile than ${wish.notProfiles.join(', ')}`]),
    ...(wish.notWorkers.length === 0 ? [] : ['no part in the work that it reviews']),
  ];
  return `no worker of the pool has ${wants.join(' and ')}: add one with "drover add"`;
}

function nowhere({ request }: Carried<'start'>, why: NotPlaced['why'], text: string): NotPlaced {
  return { kind: 'not-placed', request: request.id, why, account: null, until: null, text };
}

interface Giving {
  readonly carried: Carried<'start'>;
  readonly project: Project;
  readonly chosen: Extract<Chosen, { readonly kind: 'hand' }>;
}

/** Starts the task, if the worker is still free. */
async function give(ctx: Context, tx: StoreTransaction, { carried, project, chosen }: Giving): Promise<() => void> {
  const { work, run, request } = carried;
  const { item, text, from } = request;
  const settled = { work, runId: run.id };
  const row = await tx.lockWorker(chosen.hand.row.id);
  const machine = row === null ? null : await heldMachine(tx, row.machineId);
  if (row === null || !isIdleInPool(row) || whyNoWork(machine) !== null) {
    const busy = nowhere(carried, 'busy', `${chosen.hand.row.name} got other work first`);
    return settle(ctx, tx, { ...settled, outcome: busy });
  }
  const spent = hasBudgets(project) ? await spentFor(ctx, tx, { run, workerId: row.id }) : null;
  if (spent !== null) {
    const until = spent.use.scope === 'worker' ? null : spent.dayEndsAt;
    return settle(ctx, tx, { ...settled, outcome: overBudget(request.id, spent, until) });
  }
  const now = ctx.clock.now();
  const taskId = ctx.ids.uuid();
  const task = { id: taskId, projectId: project.id, workerId: row.id, workerName: row.name, createdAt: now };
  await tx.insertTask({ ...task, prompt: text, status: 'new', actor: run.actor });
  const event = {
    kind: 'start-requested',
    taskId,
    prompt: text,
    text: runTaskText(placed(project, machine), row, { item, goal: run.goal, prompt: text }),
    from: { commit: from, name: `commit ${from.slice(0, 12)} of the run` },
    run: item,
  } as const;
  const reason = { task: { id: taskId, why: chosen.why } };
  const handled = await handleEvent(ctx, tx, { workerId: row.id, event, by: POLICY, chosen: reason });
  if (handled === null || handled.reply.kind === 'refused') {
    await tx.setTaskStatus(taskId, 'ended', now);
    const why = handled?.reply.kind === 'refused' ? handled.reply.message : 'it is gone';
    return settle(ctx, tx, { ...settled, outcome: nowhere(carried, 'busy', `${row.name}: ${why}`) });
  }
  const hint = await settle(ctx, tx, { ...settled, outcome: placedOn(ctx, { row, carried }) });
  return () => {
    handled.hint();
    hint();
  };
}

function placedOn(
  ctx: Context,
  { row, carried: { request } }: { readonly row: WorkerRow; readonly carried: Carried<'start'> },
): RunOutcome {
  const { item, attempt } = request.item;
  const { id: workerId, name, options } = row;
  const account = accountKeyOf(ctx, row);
  return { kind: 'placed', request: request.id, item, attempt, workerId, name, profile: options.profile, account };
}

/**
 * Places an item of a run: chooses a worker by the policy of places, and gives it the text. A worker of another machine than the run's begins once
 * its machine has brought the commits.
 */
import { ANYWHERE, place } from '@drover/core';
import type { BudgetSpent, NotPlaced, PlaceWish, RunOutcome } from '@drover/core';
import type { DueWork, Machine, Project, StoreTransaction, WorkerRow } from '@drover/store';
import { accountKeyOf } from '../../../context/account-key.ts';
import { judged } from '../../../context/context.ts';
import type { Context } from '../../../context/context.ts';
import { machineState } from '../../../context/leases.ts';
import type { MachineState } from '../../../context/leases.ts';
import { heldMachine, whyNoWork } from '../../../facts/machines/closed.ts';
import { POLICY } from '../../../facts/people/causes.ts';
import { fleetNow, handsIn } from '../../../facts/placement/spots.ts';
import type { FleetNow, Hand } from '../../../facts/placement/spots.ts';
import { haveOneMain } from '../../../facts/projects/home.ts';
import { placed } from '../../../facts/projects/place.ts';
import { isIdleInPool } from '../../../facts/queue/rules.ts';
import { runTaskText } from '../../../facts/tasks/text.ts';
import { handleEvent } from '../../../loop/handle-events.ts';
import { runRequestDue } from '../../../loop/runs/due.ts';
import { tellHome } from '../../../loop/runs/machines.ts';
import { settle, stepOf } from '../../../loop/runs/settle.ts';
import { queueDue } from '../../../loop/subjects/queue.ts';
import { spentFor, workersSpent } from '../../../loop/subjects/budgets.ts';
import { askToBring, awaitAnswer } from './bring.ts';
import type { Carried } from './carried.ts';
import { overBudget } from './hold.ts';

type Chosen =
  | { readonly kind: 'hand'; readonly hand: Hand; readonly project: Project; readonly why: string }
  | Extract<RunOutcome, { readonly kind: 'not-placed' }>;

export async function start(ctx: Context, carried: Carried<'start'>): Promise<{ readonly hint: () => void } | null> {
  const { work, run, command, at } = carried;
  const halted = haltOf(carried);
  const waited =
    halted !== null || command === undefined || at === undefined
      ? halted
      : await waitFor(ctx, { carried, command, at });
  const chosen = waited ?? (await chooseNow(ctx, carried));
  return stepOf(ctx, work, async (tx) => {
    if (chosen.kind === 'waits') {
      const home = await tx.readMachine(run.machineId);
      if (home !== null) await tellHome(ctx, tx, { run, home });
      await awaitAnswer(ctx, tx, { ...carried, ...chosen });
      return () => {};
    }
    // The worker that waited for commits may be free for the queue now.
    if (carried.reserved !== undefined) await tx.schedule([queueDue(ctx.clock.now())]);
    if (halted === null && mayBeFreed(carried, chosen)) return chooseAgain(ctx, tx, carried);
    if (chosen.kind === 'not-placed') return settle(ctx, tx, { work, runId: run.id, outcome: chosen });
    const { id: reserved, machineId, options } = chosen.hand.row;
    if (machineId === run.machineId || machineId === at) return give(ctx, tx, { carried, chosen });
    await tx.lockName(RESERVING);
    if ((await reservedByOthers(tx, work)).includes(reserved)) return chooseAgain(ctx, tx, carried);
    const commits = [...new Set([carried.request.from, ...carried.request.also])];
    const author = carried.request.item.returns === 'commit' ? options.profile : '';
    const asked = await askToBring(ctx, tx, {
      ...carried,
      reserved,
      from: run.machineId,
      to: machineId,
      commits,
      author,
    });
    const gone = nowhere(carried, 'busy', `the machine of ${chosen.hand.row.name} has left the fleet`);
    return asked ?? settle(ctx, tx, { work, runId: run.id, outcome: gone });
  });
}

/** Names the lock under which a worker is reserved: of two requests at once, one sees the other. */
const RESERVING = 'workers reserved by runs';
/** Milliseconds until another worker is chosen: the first time, and later. A row that is armed again for the same time would stay leased. */
const AGAIN_MS = [1, 100] as const;
/** Choices after which an item waits no longer for a worker that its run is about to free. */
const EARLY_CHOICES_MAX = 10;

/** Lists the workers that wait for commits of other work. */
async function reservedByOthers(
  store: Pick<StoreTransaction, 'listReservations'>,
  { key }: DueWork,
): Promise<readonly string[]> {
  return (await store.listReservations()).flatMap((one) => (one.key === key ? [] : [one.workerId]));
}

/** Tells whether to wait for a worker that the run is about to free: nobody else is free, or only far from the commits. */
function mayBeFreed({ run, tries, at }: Carried<'start'>, chosen: Chosen): boolean {
  if (run.state.releasing.length === 0 || tries >= EARLY_CHOICES_MAX) return false;
  return chosen.kind === 'not-placed'
    ? chosen.why === 'busy'
    : ![run.machineId, at].includes(chosen.hand.row.machineId);
}

/** Chooses a worker once more: at once the first time, then soon. Commits that the machine has already are used. */
async function chooseAgain(ctx: Context, tx: StoreTransaction, carried: Carried<'start'>): Promise<() => void> {
  const { run, request, tries, command, at } = carried;
  const asked = { ...(command !== undefined && { command }), ...(at !== undefined && { at }) };
  const made = { runId: run.id, request, tries: tries + 1, ...asked };
  const dueAt = ctx.clock.now() + AGAIN_MS[tries === 0 ? 0 : 1];
  await tx.schedule([runRequestDue(made, dueAt)]);
  return () => ctx.hints.due(dueAt);
}

/** Refuses the placement if the run is ending or paused, also while commits are on their way; null: it goes on. */
function haltOf(carried: Carried<'start'>): NotPlaced | null {
  const { ending, paused } = carried.run.state;
  if (ending === null && paused === null) return null;
  return nowhere(carried, 'busy', ending === null ? 'the run is paused' : 'the run is ending');
}

interface Asked {
  readonly command: string;
  readonly at: string;
}

interface Waits extends Asked {
  readonly kind: 'waits';
}

/** Looks for the answer of the machine that brings the commits. Null: they are there. */
async function waitFor(
  ctx: Context,
  { carried, command, at }: Asked & { readonly carried: Carried<'start'> },
): Promise<NotPlaced | Waits | null> {
  const result = await ctx.store.commandResult(command);
  if (result?.kind === 'run-pinned') return null;
  if (result?.kind === 'failed') {
    const why = result.code === 'home-away' ? 'machine' : 'never';
    const there = await ctx.store.listRoster({ machineId: at, projectId: carried.run.projectId });
    const unreached = there.map(({ id }) => id);
    return { ...nowhere(carried, why, result.message), ...(why === 'never' && { unreached }) };
  }
  const machine = await ctx.store.readMachine(at);
  if (machine === null || isGone(machineState(machine, judged(ctx))))
    return nowhere(carried, 'busy', `"${machine?.name ?? at}", which was to bring the commits, is not connected`);
  const isAsked = await ctx.store.transaction((tx) => tx.hasCommand(command));
  return isAsked ? { kind: 'waits', command, at } : nowhere(carried, 'busy', `"${machine.name}" was not asked in time`);
}

function isGone(state: MachineState): boolean {
  return state === 'disconnected' || state === 'revoked';
}

async function chooseNow(ctx: Context, carried: Carried<'start'>): Promise<Chosen> {
  const { projectId, machineId } = carried.run;
  const fleet = await fleetNow(ctx, carried.work.key);
  const project = fleet.projects.find(({ id }) => id === projectId);
  const keeper = fleet.machines.find(({ id }) => id === machineId);
  if (project === undefined) return nowhere(carried, 'never', 'its project is gone');
  if (keeper === undefined) return nowhere(carried, 'no-commits', 'the machine with the commits of the run is gone');
  const state = machineState(keeper, judged(ctx));
  if (isGone(state)) {
    const text = `"${keeper.name}", which has the commits of the run, is ${state}`;
    if (state !== 'revoked') return nowhere(carried, 'machine', text);
    return nowhere(carried, 'no-commits', `${text}: let it in again with "drover machine invite", or stop the run`);
  }
  const near = new Set(
    fleet.machines
      .filter((machine) => machine.id === keeper.id || haveOneMain(project, fleet.machines, [machine, keeper]))
      .map(({ id }) => id),
  );
  const rows = fleet.workers.filter((row) => row.projectId === project.id && near.has(row.machineId));
  const spent = await workersSpent(ctx, ctx.store, { run: carried.run, workerIds: rows.map(({ id }) => id) });
  return choose(ctx, fleet, { carried, project, keeper, rows, spent });
}

interface Choosing {
  readonly carried: Carried<'start'>;
  readonly project: Project;
  readonly keeper: Machine;
  /** Workers of all machines that have the default branch of the machine with the run's commits. */
  readonly rows: readonly WorkerRow[];
  /** Workers whose own budget is spent. */
  readonly spent: ReadonlyMap<string, BudgetSpent>;
}

function choose(ctx: Context, fleet: FleetNow<WorkerRow>, { carried, project, keeper, rows, spent }: Choosing): Chosen {
  const hands = handsIn(ctx, fleet, rows);
  const { wish } = carried.request;
  // A fleet in which nobody has the role lets anybody do it.
  const wanted = {
    ...ANYWHERE,
    role: hands.some(({ worker }) => worker?.role === wish.role) ? wish.role : null,
    notYet: wish.notYet,
    profile: wish.profile,
    notProfiles: wish.notProfiles,
    notWorkers: wish.notWorkers,
    near: keeper.id,
  };
  const withRoom = hands.filter(({ row }) => !spent.has(row.id));
  // A machine that has its commits already comes first.
  const there = tryPlace(
    wanted,
    withRoom.filter(({ row }) => row.machineId === carried.at),
  );
  const first = there.chosen.kind === 'placed' ? there : tryPlace(wanted, withRoom);
  // Waits for workers with room. Only if none of them can ever do it, a person is asked about a worker whose own budget is spent.
  const { chosen, fitting, rules } = first.fitting.length > 0 ? first : tryPlace(wanted, hands);
  if (chosen.kind === 'placed') {
    const own = spent.get(chosen.spot.row.id);
    if (own !== undefined) return overBudget(carried.request.id, own);
    return { kind: 'hand', hand: chosen.spot, project, why: chosen.why };
  }
  if (fitting.length === 0) return nowhere(carried, 'never', tellNever(hands, wish));
  const isAll = (...of: readonly string[]): boolean =>
    fitting.every(({ row }) => of.includes(rules.get(row.name) ?? ''));
  const why = isAll('account') ? 'account' : isAll('machine-state', 'cordon') ? 'machine' : 'busy';
  const limited = why === 'account' ? limitOf(ctx, fleet, fitting) : {};
  return { ...nowhere(carried, why, chosen.why), ...limited };
}

/** Looks for a worker, and at those that fit, now or later. */
function tryPlace(wanted: Parameters<typeof place>[0], hands: readonly Hand[]) {
  const chosen = place(wanted, hands);
  const rules = new Map(chosen.refused.map(({ name, rule }) => [name, rule]));
  return { chosen, rules, fitting: hands.filter(({ row }) => !NEVER.has(rules.get(row.name) ?? '')) };
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

function tellNever(hands: readonly Hand[], wish: PlaceWish): string {
  if (hands.length === 0)
    return 'no worker is on the machine with the commits of the run, or on one with the same default branch: add one with "drover add"';
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
  readonly chosen: Extract<Chosen, { readonly kind: 'hand' }>;
}

/** Starts the task, if the worker is still free. */
async function give(ctx: Context, tx: StoreTransaction, { carried, chosen }: Giving): Promise<() => void> {
  const { work, run, request } = carried;
  const { project } = chosen;
  const { item, text, from } = request;
  const settled = { work, runId: run.id };
  const row = await tx.lockWorker(chosen.hand.row.id);
  const machine = row === null ? null : await heldMachine(tx, row.machineId);
  if (row === null || !isIdleInPool(row) || whyNoWork(machine) !== null) return chooseAgain(ctx, tx, carried);
  const spent = await spentFor(ctx, tx, { run, workerId: row.id });
  if (spent !== null) return settle(ctx, tx, { ...settled, outcome: overBudget(request.id, spent) });
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
  const handled = await handleEvent(ctx, tx, { workerId: row.id, event, by: POLICY, chosen: reason, locked: row });
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

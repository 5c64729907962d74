/** Brings a worker back to a checkpoint: finds it, verifies it, tells the consequences, begins. */
import type { Actor, CheckpointDetailView, CheckpointFleet, Outcome, RecoveryPlanView, Refusal } from '@drover/api';
import { inHand } from '@drover/core';
import type { Reply, WorkerEvent } from '@drover/core';
import type { CheckpointRow, Project, StoreTransaction, WorkerRow } from '@drover/store';
import { type CheckpointWaiters, findCheckpoint, holderOf, inspect, isCutOff, unreachable } from './checkpoints.ts';
import { causeOf } from '../../facts/people/causes.ts';
import { checkpointDetail, checkpointView } from './view.ts';
import type { Context } from '../../context/context.ts';
import { shortIdOf } from '../../facts/escalations/view.ts';
import { type Carried, carryCheckpoint } from '../../facts/machines/carry.ts';
import { findByName, type Found, readRoster, type Roster } from '../../facts/workers/find.ts';
import { tryDry } from '../../loop/dry-run.ts';
import { handleEvent } from '../../loop/handle-events.ts';
import type { Asked } from '../../facts/machines/query.ts';
import { recoverySteps } from './recover-steps.ts';
import { placed } from '../../facts/projects/place.ts';
import { taskTextFor } from '../../facts/tasks/text.ts';

type Input = Parameters<CheckpointFleet['recover']>[0] & { readonly by: Actor };

/** Checkpoints of a worker that are searched for a whole one: all that are kept. */
const CANDIDATES_MAX = 50;

/** Plans the recovery, and carries it out unless `dryRun`. Refuses with the reason and the remedy. */
export async function recover(
  ctx: Context,
  waiters: CheckpointWaiters,
  input: Input,
): Promise<Outcome<RecoveryPlanView>> {
  const roster = await readRoster(ctx, input.by);
  const found = await whom(ctx, roster, input);
  if (found.kind === 'refused') return found;
  const { row } = found;
  const project = roster.projects.find(({ id }) => id === row.projectId);
  if (project === undefined)
    return { kind: 'refused', code: 'not-found', message: `The project of "${row.name}" is gone` };
  const point = await findPoint(ctx, waiters, { roster, row, wanted: input.checkpoint, by: input.by });
  if (point.kind === 'refused') return point;
  const { detail, passedOver, elsewhere } = point;
  const plan = {
    requestId: input.requestId,
    worker: row.name,
    checkpoint: detail,
    passedOver,
    steps: recoverySteps({ row, checkpoint: point.row, detail, elsewhere, resetAgent: input.resetAgent }),
  };
  if (elsewhere !== null && !input.dryRun) {
    const fetched = await fetchPoint(ctx, waiters, {
      roster,
      giving: { row, project, checkpoint: point.row, input },
      elsewhere,
    });
    if (fetched.kind === 'refused') return { ...fetched, message: `${row.name}: ${fetched.message}` };
    if (fetched.kind === 'under-way')
      return { kind: 'ok', value: { ...plan, requested: false, fetching: fetched.doing } };
  }
  const reply = await give(ctx, { row, project, checkpoint: point.row, input });
  if (reply.kind === 'refused') return { ...reply, message: `${row.name}: ${reply.message}` };
  return { kind: 'ok', value: { ...plan, requested: !input.dryRun, fetching: null } };
}

interface Fetching {
  readonly roster: Roster;
  readonly giving: Giving;
  readonly elsewhere: Asked;
}

/** Brings the checkpoint of another machine into the worker's clone, if the worker may then return to it. */
async function fetchPoint(
  ctx: Context,
  waiters: CheckpointWaiters,
  { roster, giving, elsewhere }: Fetching,
): Promise<Carried> {
  const { row, checkpoint, input } = giving;
  if (isCutOff(roster, row)) {
    const message = 'its machine is not connected, so Drover cannot fetch a checkpoint: see "drover machine"';
    return { kind: 'refused', code: 'machine', message };
  }
  const reply = await give(ctx, { ...giving, input: { ...input, dryRun: true } });
  if (reply.kind === 'refused') return reply;
  const { id, commit } = checkpoint;
  if (commit === null) return { kind: 'carried' };
  return carryCheckpoint(ctx, waiters, {
    requestId: input.requestId,
    from: elsewhere,
    to: row,
    checkpoint: { id, commit },
  });
}

/** Finds the worker. A repeated request goes to the same worker as the first time; without a name it is for the only worker in `error`. */
async function whom({ store }: Context, roster: Roster, { requestId, worker }: Input): Promise<Found> {
  const before = await store.workerOfRequest(requestId);
  const asked = roster.workers.find(({ id }) => id === before);
  if (asked !== undefined) return { kind: 'found', row: asked };
  if (worker !== undefined) return findByName(roster, worker);
  const broken = roster.workers.filter(({ state }) => state.lifecycle.status === 'error');
  const [row] = broken;
  if (row !== undefined && broken.length === 1) return { kind: 'found', row };
  const names = broken.map(({ name }) => name).join(', ');
  const message =
    row === undefined ? 'No worker is in error: name a worker' : `Several workers are in error: name one (${names})`;
  return { kind: 'refused', code: 'which-worker', message };
}

interface Point {
  readonly kind: 'point';
  readonly row: CheckpointRow;
  readonly detail: CheckpointDetailView;
  readonly passedOver: RecoveryPlanView['passedOver'];
  /** Holder of the checkpoint in the clone of another machine; null: the worker's own clone holds it. */
  readonly elsewhere: Asked | null;
}

/** Finds the named checkpoint, or the newest whole one of the worker. */
async function findPoint(
  ctx: Context,
  waiters: CheckpointWaiters,
  { roster, row, wanted, by }: { roster: Roster; row: WorkerRow; wanted: string | undefined; by: Actor },
): Promise<Point | Refusal> {
  const candidates =
    wanted === undefined ? await ownPoints(ctx, row) : await namedPoint(ctx, { roster, row, wanted, by });
  if ('kind' in candidates) return candidates;
  const passedOver: { shortId: string; damage: string }[] = [];
  for (const checkpoint of candidates) {
    const holder = checkpoint.machineId === row.machineId ? row : holderOf(roster, checkpoint);
    if (holder === undefined) return unreachable(roster, checkpoint);
    const inspected = await inspect(ctx, waiters, { settings: holder, roster, checkpoint });
    if (inspected.kind === 'refused') return inspected;
    const detail = checkpointDetail(checkpointView(roster, checkpoint), inspected);
    const elsewhere = holder === row ? null : holder;
    if (detail.damage === null) return { kind: 'point', row: checkpoint, detail, passedOver, elsewhere };
    passedOver.push({ shortId: detail.shortId, damage: detail.damage });
  }
  const damage = passedOver.map((one) => `${one.shortId}: ${one.damage}`).join('; ');
  const advice = wanted === undefined ? '' : `. Choose another one: see "drover worker checkpoint ${row.name}"`;
  return { kind: 'refused', code: 'damaged', message: `No checkpoint can be restored (${damage})${advice}` };
}

async function ownPoints({ store }: Context, row: WorkerRow): Promise<readonly CheckpointRow[] | Refusal> {
  const rows = await store.listCheckpoints({ workerId: row.id, limit: CANDIDATES_MAX });
  const points = rows.filter(({ commit, machineId }) => commit !== null && machineId === row.machineId);
  if (points.length > 0) return points;
  const message = `${row.name} has no checkpoint yet: Drover makes one every minute while it works, and "drover worker checkpoint create ${row.name}" makes one now`;
  return { kind: 'refused', code: 'no-checkpoint', message };
}

/** Finds the named checkpoint, also of another worker and on another machine, within the same project. */
async function namedPoint(
  ctx: Context,
  { roster, row, wanted, by }: { roster: Roster; row: WorkerRow; wanted: string; by: Actor },
): Promise<readonly CheckpointRow[] | Refusal> {
  const found = await findCheckpoint(ctx, wanted, by);
  if (found.kind === 'refused') return found;
  const { projectId } = found.row;
  if (projectId === row.projectId) return [found.row];
  const project = roster.projects.find(({ id }) => id === projectId)?.name ?? projectId;
  const message = `Checkpoint ${shortIdOf(found.row.id)} belongs to the project "${project}": restore a worker of that project`;
  return { kind: 'refused', code: 'elsewhere', message };
}

interface Giving {
  readonly row: WorkerRow;
  readonly project: Project;
  readonly checkpoint: CheckpointRow;
  readonly input: Input;
}

/** Returns the policy's answer. A dry run rolls back. */
async function give(ctx: Context, giving: Giving): Promise<Reply> {
  const { dryRun } = giving.input;
  if (dryRun) return tryDry(ctx, async (tx) => (await giveIn(ctx, tx, giving)).reply);
  const { reply, hint } = await ctx.store.transaction((tx) => giveIn(ctx, tx, giving));
  hint();
  return reply;
}

async function giveIn(
  ctx: Context,
  tx: StoreTransaction,
  { row, project, checkpoint, input }: Giving,
): Promise<{ reply: Reply; hint: () => void }> {
  const workerId = row.id;
  const by = causeOf(input.by);
  const hints: (() => void)[] = [];
  const gone: Reply = { kind: 'refused', code: 'not-found', message: 'It was removed in the meantime' };
  const present = await tx.lockWorker(workerId);
  if (present === null) return { reply: gone, hint: () => {} };
  const repeated = (await tx.findReply(workerId, input.requestId)) !== null;
  const isFree = present.state.lifecycle.status === 'idle' && present.state.task.kind === 'none';
  if (isFree && !repeated && checkpoint.prompt !== null) {
    const { requestId: id } = input;
    const { prompt } = checkpoint;
    const now = ctx.clock.now();
    await tx.insertTask({
      id,
      projectId: project.id,
      workerId,
      workerName: row.name,
      prompt,
      status: 'new',
      actor: by,
      createdAt: now,
    });
    const text = taskTextFor(placed(project, await tx.readMachine(row.machineId)), row, prompt);
    const event = { kind: 'start-requested', taskId: id, prompt, text } as const;
    const started = await handleEvent(ctx, tx, { workerId, event, by });
    if (started !== null) hints.push(started.hint);
  }
  const event = eventOf(present, { checkpoint, resetAgent: input.resetAgent });
  const handled = await handleEvent(ctx, tx, { workerId, event, by, requestId: input.requestId });
  if (handled === null) return { reply: gone, hint: () => {} };
  return { reply: handled.reply, hint: () => [...hints, handled.hint].forEach((hint) => hint()) };
}

/** Builds the event. A conversation can be resumed only where it was held; the prompt is the checkpoint's if the task is another one. */
function eventOf(
  { id, state }: WorkerRow,
  { checkpoint, resetAgent }: { checkpoint: CheckpointRow; resetAgent: boolean },
): WorkerEvent {
  const isOwn = checkpoint.workerId === id;
  const sameTask = state.task.kind === 'none' || state.task.id === checkpoint.taskId;
  const words = sameTask ? null : (inHand(checkpoint.state.task)?.text ?? null);
  const conversation = isOwn ? checkpoint.conversation : null;
  return {
    kind: 'restore-requested',
    checkpoint: { id: checkpoint.id, commit: checkpoint.commit, conversation, prompt: words },
    resetAgent,
  };
}

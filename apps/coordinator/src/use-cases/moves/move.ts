/** Moves a worker to another machine for a person, or cancels the move: reports every obstacle before it ends anything. */
import type { Actor, MovePlanView, Outcome, Refusal, WorkerFleet, WorkerView } from '@drover/api';
import type { WorkerEvent } from '@drover/core';
import type { Machine, StoreTransaction, WorkerRow } from '@drover/store';
import type { Waiters } from '../../context/waiters.ts';
import type { Context } from '../../context/context.ts';
import { tryDry } from '../../loop/dry-run.ts';
import { handleEvent } from '../../loop/handle-events.ts';
import { machineState } from '../../context/leases.ts';
import { ask } from '../../facts/machines/query.ts';
import { causeOf } from '../../facts/people/causes.ts';
import { named } from '../../facts/placement/choose.ts';
import { fleetNow } from '../../facts/placement/spots.ts';
import { findByName, findWorker, readRoster, viewOf } from '../../facts/workers/find.ts';
import type { Roster } from '../../facts/workers/find.ts';
import { decideRequest, findAsked, requestOf } from '../../loop/subjects/requests.ts';
import { whyNotTo } from '../../facts/placement/targets.ts';

type MoveEvent = Extract<WorkerEvent, { kind: 'move-requested' }>;
type Input = Parameters<WorkerFleet['moveWorker']>[0] & { readonly by: Actor };

export function createMoveFleet(
  ctx: Context,
  waiters: { readonly commands: Waiters },
): Pick<WorkerFleet, 'moveWorker' | 'cancelMove'> {
  return {
    moveWorker: (input, by) => moveWorker(ctx, waiters, { ...input, by }),
    cancelMove: (input, by) => cancelMove(ctx, { ...input, by }),
  };
}

/** Plans the move, and begins it unless `dryRun`. Refuses with the reason and the remedy; the worker then continues. */
export async function moveWorker(
  ctx: Context,
  waiters: { readonly commands: Waiters },
  input: Input,
): Promise<Outcome<MovePlanView>> {
  const { requestId, name, by, dryRun } = input;
  const roster = await readRoster(ctx, by);
  const asked = await findAsked(ctx, by, requestId);
  const found = asked ?? findByName(roster, name);
  if (found.kind === 'refused') return found;
  const { row } = found;
  const to = await targetOf(ctx, { roster, row, machine: input.machine, isRepeated: asked !== null });
  if ('kind' in to) return to;
  const from = roster.machines.find(({ id }) => id === row.machineId);
  if (from === undefined) return refusal('machine', `The machine of "${row.name}" is gone`);
  const route = { id: requestId, from: { id: from.id, name: from.name }, to: { id: to.id, name: to.name } };
  const event: MoveEvent = { kind: 'move-requested', route };
  const may = asked === null ? await whyNot(ctx, { row, event, by }) : null;
  if (may !== null) return may;
  const answer = await ask(ctx, waiters, {
    row: { ...row, machineId: to.id },
    query: { kind: 'expect', move: null },
  });
  // A repeated request may find the worker there already.
  if (answer.kind !== 'expected' && asked === null) {
    const words = answer.kind === 'failed' ? answer.message : 'it answered something else';
    return refusal('machine', `${row.name} cannot move to "${to.name}": ${words}`);
  }
  const keeps = answer.kind === 'expected' && answer.keeps;
  const plan = { from: from.name, to: to.name, ...tellPlan(row, { from, to, keeps }) };
  if (dryRun) return { kind: 'ok', value: { ...plan, worker: viewOf(roster, row), requested: false } };
  // A repeated request gets its answer again.
  const meant = async (_row: WorkerRow, tx: StoreTransaction): Promise<WorkerEvent | Refusal> =>
    (asked === null ? await whyNotTo(tx, row, to.id) : null) ?? event;
  const outcome = await decideRequest(ctx, { row, event: meant, requestId, by });
  if (outcome.kind === 'refused') return outcome;
  return { kind: 'ok', value: { ...plan, worker: outcome.value.worker, requested: true } };
}

/** Cancels the move: the worker continues at its old place. Asked again while it comes back, the answer is the same. */
function cancelMove(
  ctx: Context,
  { requestId, name, by }: Parameters<WorkerFleet['cancelMove']>[0] & { readonly by: Actor },
): Promise<Outcome<{ readonly worker: WorkerView }>> {
  return requestOf(ctx, {
    requestId,
    by,
    find: () => findWorker(ctx, by, name),
    event: () => ({ kind: 'move-cancel-requested' }),
  });
}

interface Target {
  readonly roster: Roster;
  readonly row: WorkerRow;
  readonly machine: string;
  readonly isRepeated: boolean;
}

/** Checks the target. Both machines must be connected: the work comes from one, and goes to the other. */
async function targetOf(ctx: Context, { roster, row, machine, isRepeated }: Target): Promise<Machine | Refusal> {
  const to = roster.machines.find(({ name }) => name === machine);
  if (to !== undefined && isRepeated) return to;
  if (to?.id === row.machineId) return refusal('there-already', `${row.name} is already on "${machine}"`);
  const project = roster.projects.find(({ id }) => id === row.projectId);
  if (project === undefined) return refusal('not-found', `The project of "${row.name}" is gone`);
  const { name, options } = row;
  const guest = { project, name, profile: options.profile, labels: options.labels ?? [] };
  const room = named(ctx, await fleetNow(ctx), { ...guest, machine });
  if (room.kind === 'refused') return room;
  for (const id of [row.machineId, room.machine.id]) {
    const one = roster.machines.find((known) => known.id === id);
    const state = machineState(one, roster);
    if (one === undefined || state === 'connected' || state === 'suspect') continue;
    const why = id === room.machine.id ? 'cannot take it' : 'has its work and cannot send it';
    return refusal('machine', `The machine "${one.name}" is ${state} and ${why} now: see "drover machine"`);
  }
  return room.machine;
}

/** Returns the policy's refusal; null: the policy would let the worker go. */
async function whyNot(
  ctx: Context,
  { row, event, by }: { readonly row: WorkerRow; readonly event: MoveEvent; readonly by: Actor },
): Promise<Refusal | null> {
  const handled = await tryDry(ctx, async (tx) => {
    const stands = await whyNotTo(tx, row, event.route.to.id);
    return stands ?? handleEvent(ctx, tx, { workerId: row.id, event, by: causeOf(by) });
  });
  if (handled === null) return refusal('not-found', `The worker "${row.name}" no longer exists`);
  if ('kind' in handled) return handled;
  const { reply } = handled;
  return reply.kind === 'refused' ? { ...reply, message: `${row.name}: ${reply.message}` } : null;
}

function tellPlan(
  { options, state }: WorkerRow,
  { from, to, keeps }: { readonly from: Machine; readonly to: Machine; readonly keeps: boolean },
): { readonly steps: string[]; readonly left: string[] } {
  const { session } = state;
  const talks = session.conversation?.used === true;
  const close = session.pane.kind === 'absent' ? [] : ['close its session, and the agent in it'];
  const what = talks && keeps ? 'branch, uncommitted work and conversation' : 'branch and uncommitted work';
  return {
    steps: [
      ...close,
      `save its work on "${from.name}" and freeze its worktree there`,
      `bring ${what} to "${to.name}"`,
      `make its worktree there and start ${options.profile} with ${talks && keeps ? 'its conversation' : 'a new conversation'}`,
      `move its files on "${from.name}" to the trash (14 days) when its agent runs on "${to.name}"`,
    ],
    left: [
      'files that git ignores, such as installed packages',
      'changes inside of submodules',
      'content of Git LFS that is on no LFS server: its pointers move along',
      'programs that its agent has started',
      ...(talks && !keeps
        ? [`its conversation: Drover does not know where ${options.profile} keeps it, so Drover gives its task again`]
        : []),
    ],
  };
}

function refusal(code: string, message: string): Refusal {
  return { kind: 'refused', code, message };
}

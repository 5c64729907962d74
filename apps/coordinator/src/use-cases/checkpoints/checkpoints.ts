/** Lists checkpoints, shows one, and makes one on request. */
import type { Actor, CheckpointDetailView, CheckpointFleet, CheckpointView, Outcome, Refusal } from '@drover/api';
import type { CheckpointRow, WorkerRow } from '@drover/store';
import { listenFor } from '../../context/waiters.ts';
import type { Waiters } from '../../context/waiters.ts';
import { causeOf } from '../../facts/people/causes.ts';
import { checkpointDetail, checkpointView, type Inspected, NOTHING_KEPT } from './view.ts';
import { machineState } from '../../context/leases.ts';
import type { MachineState } from '../../context/leases.ts';
import type { Context } from '../../context/context.ts';
import { shortIdOf } from '../../facts/escalations/view.ts';
import { findByName, type Found, type Reach, readRoster, type Roster } from '../../facts/workers/find.ts';
import { handleEvent } from '../../loop/handle-events.ts';
import { ask } from '../../facts/machines/query.ts';
import type { Asked } from '../../facts/machines/query.ts';

/** Waiters of these use cases. */
export interface CheckpointWaiters {
  readonly commands: Waiters;
  readonly events: Waiters;
}

/** Milliseconds that a person waits for a checkpoint: a checkpoint at its limits takes some 16 s. */
const PATIENCE_MS = 45_000;
/** Milliseconds between reads of the row: another replica may write it. */
const POLL_MS = 250;
/** Rows that a short id is searched in: more than it could stand for. */
const ROWS_READ_MAX = 10_000;

/** Lists checkpoints newest first, of one worker or of all; those of removed workers are still there. */
export async function listCheckpoints(
  ctx: Context,
  { worker, limit, after }: Parameters<CheckpointFleet['listCheckpoints']>[0],
  by: Reach,
): Promise<Outcome<readonly CheckpointView[]>> {
  const roster = await readRoster(ctx, by);
  const who = worker === undefined ? {} : { workerName: worker };
  const where = by.project === null ? {} : { projectId: by.project };
  const rows = await ctx.store.listCheckpoints({ limit, ...who, ...where, ...(after !== undefined && { after }) });
  // The worker may have been removed, and its last checkpoints have expired.
  if (rows.length === 0 && worker !== undefined && after === undefined) {
    const found = findByName(roster, worker);
    if (found.kind === 'refused') return found;
  }
  return { kind: 'ok', value: rows.map((row) => checkpointView(roster, row)) };
}

/** Shows one checkpoint, as its machine finds it. */
export async function showCheckpoint(
  ctx: Context,
  waiters: CheckpointWaiters,
  { id, by }: { readonly id: string; readonly by: Reach },
): Promise<Outcome<CheckpointDetailView>> {
  const roster = await readRoster(ctx, by);
  const found = await findCheckpoint(ctx, id, by);
  if (found.kind === 'refused') return found;
  const settings = holderOf(roster, found.row);
  if (settings === undefined) return unreachable(roster, found.row);
  const inspected = await inspect(ctx, waiters, { settings, roster, checkpoint: found.row });
  if (inspected.kind === 'refused') return inspected;
  return { kind: 'ok', value: checkpointDetail(checkpointView(roster, found.row), inspected) };
}

/** Finds the checkpoint that an id, its beginning or its end names. */
export async function findCheckpoint(
  { store }: Context,
  id: string,
  by: Reach,
): Promise<{ readonly kind: 'found'; readonly row: CheckpointRow } | Refusal> {
  const where = by.project === null ? {} : { projectId: by.project };
  const all = await store.listCheckpoints({ limit: ROWS_READ_MAX, ...where });
  const named = all.filter((row) => row.id.startsWith(id) || row.id.endsWith(id));
  const [row] = named;
  if (row === undefined) {
    const message = `There is no checkpoint "${id}": see "drover worker checkpoint"`;
    return { kind: 'refused', code: 'not-found', message };
  }
  if (named.length === 1) return { kind: 'found', row };
  const ids = named.map((one) => shortIdOf(one.id)).join(', ');
  return { kind: 'refused', code: 'invalid', message: `"${id}" names ${named.length} checkpoints: ${ids}` };
}

/** States of a machine that is not asked. */
const CUT_OFF: ReadonlySet<MachineState> = new Set(['disconnected', 'revoked']);

/** Tells whether the machine of a worker is not asked now. */
export function isCutOff(roster: Roster, { machineId }: Pick<WorkerRow, 'machineId'>): boolean {
  return CUT_OFF.has(
    machineState(
      roster.machines.find(({ id }) => id === machineId),
      roster,
    ),
  );
}

/** Asks the machine whether a checkpoint is whole and what it holds. */
export async function inspect(
  ctx: Context,
  waiters: CheckpointWaiters,
  { settings, roster, checkpoint }: { settings: Asked; roster: Roster; checkpoint: CheckpointRow },
): Promise<Inspected | Refusal> {
  if (checkpoint.commit === null) return NOTHING_KEPT;
  if (isCutOff(roster, settings)) return unreachable(roster, checkpoint);
  const query = { kind: 'read-checkpoint', commit: checkpoint.commit } as const;
  const answer = await ask(ctx, waiters, { row: settings, query });
  if (answer.kind === 'checkpoint') return answer;
  const message = answer.kind === 'failed' ? answer.message : 'The machine answered something else';
  return { kind: 'refused', code: 'machine', message };
}

/**
 * Finds the holder of a checkpoint: its worker, or for a removed one a worker in the same clone, through which its machine can be asked;
 * if there is none, the machine itself, which keeps the clone.
 */
export function holderOf({ workers, machines }: Roster, checkpoint: CheckpointRow): Asked | undefined {
  const { workerId, workerName: name, projectId, machineId } = checkpoint;
  const inClone = workers.filter((row) => row.projectId === projectId && row.machineId === machineId);
  const worker = inClone.find(({ id }) => id === workerId) ?? inClone[0];
  if (worker !== undefined) return worker;
  const isKnown = machines.some(({ id }) => id === machineId);
  return isKnown ? { id: machineId, name, projectId, machineId, options: null } : undefined;
}

/** Refuses, because the checkpoint's machine cannot be asked. */
export function unreachable({ machines }: Roster, { machineId }: CheckpointRow): Refusal {
  const name = machines.find(({ id }) => id === machineId)?.name ?? machineId;
  const message = `The checkpoint is on machine "${name}", which is not connected: see "drover machine"`;
  return { kind: 'refused', code: 'machine', message };
}

/** Asks for a checkpoint, and waits for it. */
export async function createCheckpoint(
  ctx: Context,
  { events }: CheckpointWaiters,
  { requestId, worker, why, by }: Parameters<CheckpointFleet['createCheckpoint']>[0] & { readonly by: Actor },
): Promise<Outcome<CheckpointView>> {
  const roster = await readRoster(ctx, by);
  const found = worker === undefined ? theOnlyOne(roster) : findByName(roster, worker);
  if (found.kind === 'refused') return found;
  const { row } = found;
  const event = { kind: 'checkpoint-requested', id: requestId, why: why ?? 'requested by a person' } as const;
  const handled = await ctx.store.transaction((tx) =>
    handleEvent(ctx, tx, { workerId: row.id, event, by: causeOf(by), requestId }),
  );
  handled?.hint();
  if (handled === null)
    return { kind: 'refused', code: 'not-found', message: `The worker "${row.name}" no longer exists` };
  if (handled.reply.kind === 'refused') return { ...handled.reply, message: `${row.name}: ${handled.reply.message}` };
  const end = ctx.clock.now() + PATIENCE_MS;
  while (ctx.clock.now() < end) {
    using hint = listenFor(events, row.id, { ms: POLL_MS, after: (ms, run) => ctx.clock.after(ms, run) });
    const made = await ctx.store.readCheckpoint(requestId);
    if (made !== null) return { kind: 'ok', value: checkpointView(roster, made) };
    if ((await ctx.store.readWorker(row.id)) === null) return wasRemoved(row.name);
    await hint.heard;
  }
  const message = `${row.name}: the requested checkpoint is not ready yet: see "drover why ${row.name}", then "drover worker checkpoint"`;
  return { kind: 'refused', code: 'not-yet', message };
}

function theOnlyOne({ workers }: Roster): Found {
  const [row] = workers;
  if (row !== undefined && workers.length === 1) return { kind: 'found', row };
  const message =
    row === undefined
      ? 'There are no workers yet: run "drover add NAME"'
      : `There are ${workers.length} workers: name one (${workers
          .map(({ name }) => name)
          .toSorted()
          .join(', ')})`;
  return { kind: 'refused', code: 'which-worker', message };
}

function wasRemoved(name: string): Refusal {
  const message = `The worker "${name}" was removed before Drover made this checkpoint: "drover worker checkpoint" lists the earlier ones`;
  return { kind: 'refused', code: 'not-found', message };
}

/** Tells a run of a worker that does one of its tasks: that its machine is away or back, and that it waits for a person or goes on. */
import { allItems, runOf } from '@drover/core';
import type { RunEvent, Worker } from '@drover/core';
import type { DueWork, RunRow, StoreTransaction, WorkerRow } from '@drover/store';
import type { About } from '../about.ts';
import { runEventDue } from './due.ts';

interface Decided extends Pick<About, 'after' | 'by' | 'now'> {
  /** Row before the decision. */
  readonly row: Pick<WorkerRow, 'id' | 'version' | 'state'>;
}

/** Lists what the decision changes for a run. */
export function workerNews({ row, after, by, now }: Decided): readonly DueWork[] {
  const run = runOf(after.task);
  if (run === null) return [];
  const { id: workerId, state: before } = row;
  const due = (what: string, event: RunEvent): DueWork =>
    runEventDue({ runId: run.runId, id: `${what} ${workerId} ${row.version}`, event, by }, now);
  const [isAway, text] = [isOnLostMachine(after), asksOf(after)];
  return [
    ...(isAway === isOnLostMachine(before) ? [] : [due('machine', { kind: 'machine-changed', workerId, isAway })]),
    ...(text === asksOf(before) ? [] : [due('asks', { kind: 'worker-asks', workerId, text })]),
  ];
}

/** Says of the worker what is true now: events about it may come late, and not in the order in which they happened. */
export async function asItIsNow(
  tx: StoreTransaction,
  run: Pick<RunRow, 'id' | 'machineId' | 'state'>,
  event: RunEvent,
): Promise<RunEvent> {
  const { id: runId, machineId } = run;
  if (event.kind === 'not-pinned') return { ...event, unreached: await besides(tx, run, event.request) };
  if (event.kind !== 'machine-changed' && event.kind !== 'worker-asks' && event.kind !== 'placed') return event;
  const row = await tx.readWorker(event.workerId);
  const worker = row !== null && runOf(row.state.task)?.runId === runId ? row.state : null;
  const isAway = worker !== null && isOnLostMachine(worker);
  const asks = worker === null ? null : asksOf(worker);
  const isWithCommits = row?.machineId === machineId;
  const isGone = worker !== null && row !== null && (await tx.readMachine(row.machineId))?.revokedAt != null;
  switch (event.kind) {
    case 'machine-changed':
      return { ...event, isAway, isWithCommits, isGone };
    case 'worker-asks':
      return { ...event, text: asks };
    case 'placed':
      return { ...event, isAway, isWithCommits, isGone, asks };
    default:
      return event satisfies never;
  }
}

/** Lists the workers on another machine than the run's from which a commit was to be carried: each of them would fail as well. */
async function besides(
  tx: StoreTransaction,
  { machineId, state }: Pick<RunRow, 'machineId' | 'state'>,
  request: string,
): Promise<readonly string[]> {
  const item = allItems(state).find(({ progress }) => progress.kind === 'pinning' && progress.request === request);
  const author = item?.worker == null ? null : await tx.readWorker(item.worker.workerId);
  if (author === null || author.machineId === machineId) return [];
  const there = await tx.listRoster({ machineId: author.machineId, projectId: author.projectId });
  return there.map(({ id }) => id);
}

function isOnLostMachine({ incident: { open } }: Worker): boolean {
  return open?.code === 'MACHINE_LOST';
}

/**
 * Says what a worker waits for from a person; null: it waits for none. An agent that is stuck, or has work in the background, needs a person
 * too, but may be at work, and so its time counts.
 */
function asksOf({ lifecycle: { status, note, takenOver }, incident: { open }, turn }: Worker): string | null {
  if (status !== 'needs_input') return null;
  const hasAsked = open?.code === 'AGENT_BLOCKED' && turn.background === null;
  return hasAsked || takenOver ? note : null;
}

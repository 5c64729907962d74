/** Finds machines that have been silent for longer than their lease. The patrol asks; each of their workers gets a check of its own. */
import type { WorkerEvent } from '@drover/core';
import type { DueWork, StoreTransaction, WorkerRow } from '@drover/store';
import { judged } from '../context.ts';
import type { Context } from '../context.ts';
import { machineState } from './leases.ts';
import type { Judged } from './leases.ts';

/** Schedules a check of each worker that should be up on a lost machine and does not know it. */
export async function machineChecksDue(
  ctx: Context,
  tx: StoreTransaction,
  workers: readonly WorkerRow[],
): Promise<readonly DueWork[]> {
  const at = judged(ctx);
  const unaware = workers.filter(
    ({ state }) => state.lifecycle.wanted === 'up' && state.incident.open?.code !== 'MACHINE_LOST',
  );
  const lost = new Set<string>();
  for (const machineId of new Set(unaware.map((row) => row.machineId))) {
    if ((await silentMs(tx, machineId, at)) !== null) lost.add(machineId);
  }
  return unaware.filter(({ machineId }) => lost.has(machineId)).map(({ id }) => machineCheckDue(id, at.now));
}

/** The event for the worker at the time of the check: null when the machine has spoken meanwhile. */
export async function machineNews(ctx: Context, tx: StoreTransaction, row: WorkerRow): Promise<WorkerEvent | null> {
  const silent = await silentMs(tx, row.machineId, judged(ctx));
  return silent === null ? null : { kind: 'machine-lost', silentMs: silent };
}

/** How long a disconnected machine has been silent, in milliseconds; null when it is connected, or was never there. */
async function silentMs(tx: StoreTransaction, machineId: string, at: Judged): Promise<number | null> {
  const machine = await tx.readMachine(machineId);
  if (machine?.lastSeenAt == null || machineState(machine, at) !== 'disconnected') return null;
  return at.now - machine.lastSeenAt;
}

function machineCheckDue(workerId: string, dueAt: number): DueWork {
  const payload = { workerId, event: { kind: 'machine' } };
  return { kind: 'worker-event', key: `${workerId}:machine`, dueAt, payload };
}

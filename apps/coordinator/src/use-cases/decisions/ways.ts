/** What recovery may choose from beyond the worker itself: others that could take its task, and machines on which it could go on. */
import { inHand } from '@drover/core';
import type { DecisionFacts, WorkerEvent } from '@drover/core';
import type { Machine, StoreTransaction, WorkerRow } from '@drover/store';
import type { Context } from '../context.ts';
import { machinesFor } from '../moves/targets.ts';

type Ways = Pick<DecisionFacts, 'othersIdle' | 'elsewhere'>;

/** Read only while the worker has a task: without one nothing goes elsewhere. */
export async function ways(
  ctx: Context,
  tx: StoreTransaction,
  { row, machine, event }: { readonly row: WorkerRow; readonly machine: Machine | null; readonly event: WorkerEvent },
): Promise<Ways> {
  if (inHand(row.state.task) === null) return { othersIdle: 0 };
  const idle = await othersIdle(tx, row);
  if (machine === null || !mayFail(row, event)) return { othersIdle: idle };
  const others = machinesFor(ctx, row, { machines: await tx.listMachines(), workers: await tx.listWorkers({}) });
  if (others.length === 0) return { othersIdle: idle };
  const named = others.map(({ id, name }) => ({ id, name }));
  return { othersIdle: idle, elsewhere: { here: { id: machine.id, name: machine.name }, others: named } };
}

/** A move is chosen in a decision on a failure: one that is handled already, or that this event tells of. */
function mayFail({ state }: WorkerRow, event: WorkerEvent): boolean {
  if (state.incident.open !== null) return true;
  return event.kind === 'command-finished' && (event.result.kind === 'failed' || event.result.kind === 'unknown');
}

async function othersIdle(tx: StoreTransaction, { id, projectId }: WorkerRow): Promise<number> {
  const able = (await tx.listWorkers({ projectId })).filter((other) => other.id !== id && canTake(other));
  const closed = new Set<string>();
  for (const machineId of new Set(able.map((other) => other.machineId)))
    if ((await tx.readMachine(machineId))?.cordon != null) closed.add(machineId);
  return able.filter(({ machineId }) => !closed.has(machineId)).length;
}

function canTake({ state, options }: WorkerRow): boolean {
  return state.lifecycle.status === 'idle' && state.lifecycle.wanted === 'up' && !options.excludedFromPool;
}

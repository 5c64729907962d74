/** Which machines can take a worker that leaves its own? */
import type { Refusal } from '@drover/api';
import { isMoving } from '@drover/core';
import type { Machine, StoreTransaction, WorkerRow } from '@drover/store';
import { judged } from '../context.ts';
import type { Context } from '../context.ts';
import { whyNoWork } from '../drains/closed.ts';
import { machineState } from '../machines/leases.ts';

/** Machines that are heard, take new work, and have no worker of its name: the one with the fewest workers first. */
export function machinesFor(
  ctx: Context,
  { id: own, name, machineId }: Pick<WorkerRow, 'id' | 'name' | 'machineId'>,
  { machines, workers }: { readonly machines: readonly Machine[]; readonly workers: readonly WorkerRow[] },
): readonly Machine[] {
  const at = judged(ctx);
  const load = (id: string): number => workers.filter((one) => one.machineId === id).length;
  const hasNamesake = (id: string): boolean => namesakeOn({ id: own, name }, { workers, machineId: id }) !== undefined;
  return machines
    .filter((one) => one.id !== machineId && one.cordon === null && machineState(one, at) === 'connected')
    .filter(({ id }) => !hasNamesake(id))
    .toSorted((one, other) => load(one.id) - load(other.id));
}

/**
 * Why a worker cannot go to this machine: the worker is elsewhere by now, or the machine takes no new work, or it has a worker of that
 * name, or one is on its way there. Asked in the transaction that begins the move, because asking machines takes time. Null: it can.
 */
export async function whyNotTo(
  tx: StoreTransaction,
  row: Pick<WorkerRow, 'id' | 'name' | 'machineId'>,
  machineId: string,
): Promise<Refusal | null> {
  const worker = await tx.lockWorker(row.id);
  // One that is gone is told of by the caller.
  if (worker !== null && worker.machineId !== row.machineId)
    return {
      kind: 'refused',
      code: 'moved',
      message: `${row.name} has moved meanwhile: see "drover status", then repeat`,
    };
  const to = await tx.readMachine(machineId);
  if (to === null) return { kind: 'refused', code: 'machine', message: 'That machine is not in the fleet any more' };
  const cordoned = whyNoWork(to);
  if (cordoned !== null) return { kind: 'refused', code: 'cordoned', message: cordoned };
  const namesake = namesakeOn(row, { workers: await tx.listWorkers({}), machineId });
  if (namesake === undefined) return null;
  const message = `"${to.name}" has a worker "${row.name}" of another project: sessions there go by the name`;
  return { kind: 'refused', code: 'name-taken', message };
}

/** Another worker of that name that is on the machine, or moves there. */
function namesakeOn(
  { id, name }: Pick<WorkerRow, 'id' | 'name'>,
  { workers, machineId }: { readonly workers: readonly WorkerRow[]; readonly machineId: string },
): WorkerRow | undefined {
  const isThere = ({ machineId: at, state: { move } }: WorkerRow): boolean =>
    at === machineId || (isMoving(move) && move.route.to.id === machineId);
  return workers.find((one) => one.id !== id && one.name === name && isThere(one));
}

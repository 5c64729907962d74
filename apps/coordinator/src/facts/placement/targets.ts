/** Finds the machines that can take a worker that leaves its own. */
import type { Refusal } from '@drover/api';
import { ANYWHERE, place, ranked } from '@drover/core';
import type { Machine, StoreTransaction, WorkerRow } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { whyNotThere } from './choose.ts';
import { roomsIn } from './spots.ts';
import type { FleetNow } from './spots.ts';

/** Machines, the best first, and the reasons against the others. */
export interface Targets {
  readonly targets: readonly Machine[];
  readonly nowhere: string;
}

/**
 * Finds machines that can take a worker that leaves another machine. A limit of its account does not matter: the worker waits for the
 * account on any machine.
 */
export function machinesFor(
  ctx: Context,
  fleet: FleetNow,
  { row, but }: { readonly row: WorkerRow; readonly but: string },
): Targets {
  const project = fleet.projects.find(({ id }) => id === row.projectId);
  if (project === undefined) return { targets: [], nowhere: 'its project is gone' };
  const guest = { project, name: row.name, profile: row.options.profile };
  const rooms = roomsIn(ctx, fleet, guest).filter(({ at }) => at.id !== but);
  const wanted = { ...ANYWHERE, labels: row.options.labels ?? [] };
  const paused = rooms.filter((room) => room.paused !== null).map((room) => ({ ...room, paused: null }));
  const targets = [...ranked(wanted, rooms), ...ranked(wanted, paused)];
  return { targets: targets.map(({ at }) => at), nowhere: place(wanted, rooms).why };
}

/**
 * Tells why a worker cannot go to this machine: the worker has moved, or the machine cannot take it. Runs in the transaction that begins
 * the move.
 */
export async function whyNotTo(
  tx: StoreTransaction,
  row: Pick<WorkerRow, 'id' | 'name' | 'projectId' | 'machineId' | 'options'>,
  machineId: string,
): Promise<Refusal | null> {
  const worker = await tx.lockWorker(row.id);
  // The caller reports a worker that is gone.
  if (worker !== null && worker.machineId !== row.machineId)
    return {
      kind: 'refused',
      code: 'moved',
      message: `${row.name} has moved in the meantime: see "drover status", then repeat`,
    };
  return whyNotThere(tx, row, machineId);
}

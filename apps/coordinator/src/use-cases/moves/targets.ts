/** Which machines can take a worker that leaves its own? */
import type { Refusal } from '@drover/api';
import { ANYWHERE, place, ranked } from '@drover/core';
import type { Machine, Project, StoreTransaction, WorkerRow } from '@drover/store';
import type { Context } from '../context.ts';
import { whyNoWork } from '../drains/closed.ts';
import { isFull } from '../placement/choose.ts';
import { whyNoNamesake } from '../placement/namesakes.ts';
import { roomsIn } from '../placement/spots.ts';
import type { FleetNow } from '../placement/spots.ts';

/** The machines, the best first, and what stands in the way of the others. */
export interface Targets {
  readonly targets: readonly Machine[];
  readonly nowhere: string;
}

/** Machines that can take a worker which leaves another one. A limit of its account it awaits there as well as here. */
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
 * Why a worker cannot go to this machine: the worker is elsewhere by now, or the machine takes no new work, or it cannot tell it
 * from a worker of that name, which is there or on its way. Asked in the transaction that begins the move, because asking machines takes time. Null: it can.
 */
export async function whyNotTo(
  tx: StoreTransaction,
  row: Pick<WorkerRow, 'id' | 'name' | 'machineId' | 'projectId'>,
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
  const namesake = await namesakeOn(tx, row, to);
  if (namesake === null)
    return (await isFull(tx, to))
      ? { kind: 'refused', code: 'full', message: `The machine "${to.name}" is full` }
      : null;
  return { kind: 'refused', code: 'name-taken', message: `"${to.name}" ${namesake}` };
}

async function namesakeOn(
  tx: StoreTransaction,
  { name, projectId }: Pick<WorkerRow, 'name' | 'projectId'>,
  to: Machine,
): Promise<string | null> {
  const workers = (await tx.listRoster({})).filter((one) => one.name === name);
  const projects: Project[] = [];
  for (const id of new Set([projectId, ...workers.map((one) => one.projectId)])) {
    const project = await tx.readProject(id);
    if (project !== null) projects.push(project);
  }
  const project = projects.find(({ id }) => id === projectId);
  // A worker without a project is told of by the caller.
  return project === undefined ? null : whyNoNamesake({ workers, projects }, to, { project, name });
}

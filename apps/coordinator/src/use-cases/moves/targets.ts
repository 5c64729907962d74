/** Which machines can take a worker that leaves its own? */
import type { Machine, WorkerRow } from '@drover/store';
import { judged } from '../context.ts';
import type { Context } from '../context.ts';
import { machineState } from '../machines/leases.ts';

/** Machines that are heard, take new work, and have no worker of its name: the one with the fewest workers first. */
export function machinesFor(
  ctx: Context,
  { id: own, name, machineId }: Pick<WorkerRow, 'id' | 'name' | 'machineId'>,
  { machines, workers }: { readonly machines: readonly Machine[]; readonly workers: readonly WorkerRow[] },
): readonly Machine[] {
  const at = judged(ctx);
  const load = (id: string): number => workers.filter((one) => one.machineId === id).length;
  const hasNamesake = (id: string): boolean =>
    workers.some((one) => one.id !== own && one.name === name && one.machineId === id);
  return machines
    .filter((one) => one.id !== machineId && one.cordon === null && machineState(one, at) === 'connected')
    .filter(({ id }) => !hasNamesake(id))
    .toSorted((one, other) => load(one.id) - load(other.id));
}

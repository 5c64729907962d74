// Steps of larger statements: workers that are saved.
import { sql } from 'kysely';
import type { WorkerRow } from '../../port/workers.ts';
import { givenAs, setFrom } from './given.ts';

const CHANGED = ['machineId', 'options', 'state', 'status', 'version', 'updatedAt'];

/** Columns of `given` for a worker that is saved. */
export const WORKER = { workerId: 'uuid', ...givenAs('workers', CHANGED) };

/** The same of one worker. */
export function givenWorker({ id, machineId, options, state, version }: WorkerRow, now: number): object {
  const { status } = state.lifecycle;
  return { workerId: id, machineId, options, state, status, version: version + 1, updatedAt: now };
}

/** The statement that saves the workers that are `given`. */
export const changeWorkers = sql`update workers set ${setFrom('workers', CHANGED)}
  from given where workers.id = given."workerId"`;

// Steps of larger statements: workers that are saved.
import type { WorkerStatus } from '@drover/core';
import { sql } from 'kysely';
import type { WorkerRow } from '../../port/workers.ts';
import type { Columns } from '../given.ts';

/** Columns of `given` for a worker that is saved. */
export const WORKER = {
  worker: 'uuid',
  machine: 'uuid',
  options: 'jsonb',
  state: 'jsonb',
  status: 'text',
  version: 'bigint',
  saved_at: 'double precision',
} satisfies Columns;

/** The same of one worker. */
export function givenWorker(
  { id, machineId, options, state, version }: WorkerRow,
  now: number,
): Record<keyof typeof WORKER, unknown> {
  const status = state.lifecycle.status satisfies WorkerStatus;
  return { worker: id, machine: machineId, options, state, status, version: version + 1, saved_at: now };
}

/** The statement that saves the workers that are `given`. */
export const changeWorkers = sql`update workers set machine_id = given.machine, options = given.options,
    state = given.state, status = given.status, version = given.version,
    updated_at = to_timestamp(given.saved_at / 1000)
  from given where workers.id = given.worker`;

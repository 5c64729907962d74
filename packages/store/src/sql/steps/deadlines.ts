// Steps of larger statements: the deadlines of workers.
import { sql } from 'kysely';

/** Columns of `given` for a worker whose deadlines are replaced: their times in epoch milliseconds, by their names. */
export const DEADLINES = { workerId: 'uuid', deadlines: 'jsonb' };

/** Ends of an insertion of due work: a row that is there is armed again if its time changed, so that a lease that is held stays held. */
export const REARMED = sql`on conflict (kind, key) do update
  set due_at = excluded.due_at, payload = excluded.payload, lease_until = null, attempts = 0, problem = null
  where due_work.due_at <> excluded.due_at`;

/** The parts of a statement (named `armed`, `gone` and `timed`) that replace the deadlines of the workers that are `given`, at least one. */
export const deadlineSteps = sql`armed as (
      select "workerId" as worker, "workerId"::text || ':' || name as key, to_timestamp(due::double precision / 1000) as due_at,
        jsonb_build_object('name', name) as payload
      from given, jsonb_each_text(deadlines) as deadline (name, due)
    ), gone as (
      delete from due_work using given
      where kind = 'worker-deadline' and worker_id = given."workerId" and key not in (select key from armed)
    ), timed as (
      insert into due_work (kind, key, worker_id, due_at, payload)
      select 'worker-deadline', key, worker, due_at, payload from armed
      ${REARMED}
    )`;

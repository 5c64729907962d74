// Reads and writes incidents: what went wrong, and what was done about it.
import { sql } from 'kysely';
import type { IncidentFilter, IncidentRow } from '../../port/incidents.ts';
import { send } from '../../connection/pipeline.ts';
import type { Db, Trx } from '../db.ts';
import { find, has, insertion, isOneOf, isSince, list } from '../steps/rows.ts';

/**
 * Adds incidents, or updates the level, attempts, alternatives, end and outcome of existing ones; none is named twice. A closed incident stays as
 * it is.
 */
export async function saveIncidents(db: Trx, rows: readonly IncidentRow[]): Promise<void> {
  const again = sql`on conflict (id) do update set level = excluded.level, attempts = excluded.attempts,
    tried = excluded.tried, closed_at = excluded.closed_at, outcome = excluded.outcome where incidents.closed_at is null`;
  if (rows.length > 0) await send(db, insertion('incidents', rows, again));
}

/** @returns null when there is none of this id. */
export async function readIncident(db: Trx, id: string): Promise<IncidentRow | null> {
  return find(db, 'incidents', { id });
}

/** Lists incidents, newest first. */
export async function listIncidents(db: Db, filter: IncidentFilter): Promise<readonly IncidentRow[]> {
  const { workerId, workerIds, workerName, since, open, limit } = filter;
  const named = has('incidents', { workerId, workerName, closedAt: open === true ? null : undefined });
  const which = sql<boolean>`${named} and ${isOneOf('workerId', workerIds)} and ${isSince('opened_at', since)}`;
  return list(db, 'incidents', which, { end: sql`order by opened_at desc, id desc limit ${limit}` });
}

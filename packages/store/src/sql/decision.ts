// What is written for every decision, in one round trip: the worker, its deadlines and its line of history.
import { sql } from 'kysely';
import type { SavedDecision } from '../port/history.ts';
import { auditSteps } from './people/audit.ts';
import { deadlineSteps } from './due-work.ts';
import { addEvent } from './history.ts';
import { changeWorker } from './workers.ts';
import type { Db } from './db.ts';

/** The same as `saveWorker`, `setDeadlines` and `insertEvent`, as one statement. The caller holds the worker's row. */
export async function saveDecision(db: Db, { row, event, audit }: SavedDecision, now: number): Promise<void> {
  const steps = deadlineSteps(row.id, row.state.deadlines);
  const audited = audit === undefined ? sql`` : sql`${auditSteps(audit)},`;
  await sql`with ${audited} saved as (${changeWorker(row, now)}), ${steps} ${addEvent(event)}`.execute(db);
}

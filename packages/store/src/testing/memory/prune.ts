// Removes what is too old to be kept in memory: the same as `prune` and `thinHistory` of sql/history.ts.
import { pruneSilences } from './channels/silences.ts';
import type { MemoryDatabase } from './engine/database.ts';
import { pruneWebhooks } from './public/webhooks.ts';
import { pruneAnnouncements } from './public/announcements.ts';

/** Removes what was over before a time in epoch milliseconds. Open rows stay, with their errors. */
export function prune(db: MemoryDatabase, before: number): true {
  for (const [key, row] of db.observations) if (row.now < before) db.remove(db.observations, key);
  for (const [key, row] of db.refusedReports) if (row.lastAt < before) db.remove(db.refusedReports, key);
  for (const [id, row] of db.events) {
    if (row.at >= before) continue;
    db.remove(db.events, id);
    if (row.requestId !== null) db.remove(db.replies, `${row.workerId} ${row.requestId}`);
  }
  for (const [key, row] of db.receipts) if (row.at < before) db.remove(db.receipts, key);
  for (const [id, { endedAt }] of db.tasks) if (endedAt !== null && endedAt < before) db.remove(db.tasks, id);
  const usage = [...db.usage];
  const last = (id: string): number => Math.max(...usage.flatMap(([, row]) => (row.workerId === id ? row.since : [])));
  for (const [key, { day, workerId, since }] of usage)
    if (day < before && (!db.workers.has(workerId) || since < last(workerId))) db.remove(db.usage, key);
  const remembered = new Set([...db.workers.keys(), ...[...db.events.values()].map(({ workerId }) => workerId)]);
  for (const [id, row] of db.checkpoints)
    if (row.createdAt < before && !remembered.has(row.workerId)) db.remove(db.checkpoints, id);
  pruneSilences(db, before);
  for (const [key, row] of db.keptAnswers) if (row.now < before) db.remove(db.keptAnswers, key);
  pruneAnnouncements(db, before);
  pruneWebhooks(db, before);
  pruneRecovery(db, before);
  return true;
}

const THINNED: ReadonlySet<string> = new Set(['screen', 'result', 'answer']);

/** Thins history from before a time in epoch milliseconds, all at once: see the port. */
export function thinHistory(db: MemoryDatabase, before: number): true {
  for (const [key, row] of db.observations)
    if (row.now < before && THINNED.has(row.body.kind)) db.remove(db.observations, key);
  for (const [id, row] of db.ended) if (row.finishedAt !== null && row.finishedAt < before) db.remove(db.ended, id);
  for (const [id, row] of db.events) {
    if (row.at >= before || row.decided === null) continue;
    if (row.isQuiet) db.remove(db.events, id);
    else db.put(db.events, id, { ...row, decided: null });
  }
  return true;
}

const OVER: ReadonlySet<string> = new Set(['resolved', 'expired', 'cancelled', 'done', 'dropped']);

function pruneRecovery(db: MemoryDatabase, before: number): void {
  for (const [id, { closedAt }] of db.incidents)
    if (closedAt !== null && closedAt < before) db.remove(db.incidents, id);
  const isLoose = (id: string | null): boolean => id === null || !db.incidents.has(id);
  for (const [id, row] of db.episodes) if (row.at < before && isLoose(row.incidentId)) db.remove(db.episodes, id);
  for (const [id, row] of db.errors) if (row.timestamp < before && isLoose(row.incidentId)) db.remove(db.errors, id);
  for (const table of [db.escalations, db.queueItems])
    for (const [id, row] of table)
      if (row.updatedAt < before && OVER.has(row.status)) db.remove<string, object>(table, id);
  for (const [id, { endedAt }] of db.runs) if (endedAt !== null && endedAt < before) db.remove(db.runs, id);
  for (const table of [db.runEvents, db.runMessages])
    for (const [key, { runId }] of table) if (!db.runs.has(runId)) db.remove<string, object>(table, key);
  for (const [id, { escalationId }] of db.responses) if (!db.escalations.has(escalationId)) db.remove(db.responses, id);
  for (const [id, { escalationId }] of db.deliveries)
    if (!db.escalations.has(escalationId)) db.remove(db.deliveries, id);
}

/**
 * What becomes of the questions and errors that failed tools have raised? They are no incidents of their worker's own, which
 * is at work: they outlive the decision that wrote them, and end with their answer or with their task.
 */
import { TOOL, TOOL_ANSWERS } from '@drover/core';
import type { IncidentOutcome, StoreTransaction } from '@drover/store';
import { expireEscalation } from './escalations-close.ts';
import type { About, RecordOf } from './records-about.ts';

/** Questions of one worker that are looked through: one task asks few. */
const LOOKED_AT = 100;

const ANSWERS: ReadonlySet<string> = new Set(TOOL_ANSWERS.map(({ id }) => id));

/** A task is over: nobody has to answer any more what its tools had asked. */
export async function endToolQuestions(
  tx: StoreTransaction,
  { about, entry }: { about: About; entry: RecordOf<'task'> },
): Promise<void> {
  const { status } = entry;
  if (status !== 'accepted' && status !== 'ended' && status !== 'failed') return;
  const open = await tx.listEscalations({ workerId: about.row.id, open: true, limit: LOOKED_AT });
  const incidents = open
    .filter(
      ({ question }) => question.options.length === ANSWERS.size && question.options.every(({ id }) => ANSWERS.has(id)),
    )
    .flatMap(({ members }) => members.filter(({ workerId }) => workerId === about.row.id))
    .flatMap(({ incidentId }) => (incidentId === null ? [] : [incidentId]));
  for (const incident of incidents) {
    await expireEscalation(tx, incident, about.now);
    await endToolIncident(tx, incident, { outcome: 'cancelled', now: about.now });
  }
}

/** A task came to its end although tools had failed in it: their errors are over, but for those that somebody is asked about. */
export async function endToolErrors(
  tx: StoreTransaction,
  { about, entry }: { about: About; entry: RecordOf<'task'> },
): Promise<void> {
  if (entry.status !== 'review' && entry.status !== 'accepted') return;
  await tx.markLooseErrorsRecovered({ workerId: about.row.id, component: TOOL, task: entry.id }, about.now);
}

/**
 * Closes the row of an incident that no decision about its worker closes, and its errors if a person answered. One that is
 * closed stays as it is.
 */
export async function endToolIncident(
  tx: StoreTransaction,
  id: string,
  { outcome, now }: { outcome: IncidentOutcome; now: number },
): Promise<void> {
  const known = await tx.readIncident(id);
  if (known === null || known.closedAt !== null) return;
  await tx.saveIncident({ ...known, closedAt: now, outcome });
  if (outcome === 'resolved') await tx.markErrorsRecovered(id, now);
}

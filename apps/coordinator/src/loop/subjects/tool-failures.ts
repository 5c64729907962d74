/**
 * Ends questions and errors that are no incident of their worker, which goes on working: mostly those of failed tools. Such rows outlive
 * the decision that wrote them, and end with their answer or with their task.
 */
import { TOOL, TOOL_ANSWERS } from '@drover/core';
import type { IncidentOutcome, StoreTransaction } from '@drover/store';
import { expireEscalation } from '../escalations/close.ts';
import type { About, RecordOf } from '../about.ts';

/** Open questions of one worker that are read: one task asks few. */
const QUESTIONS_READ_MAX = 100;

const ANSWERS: ReadonlySet<string> = new Set(TOOL_ANSWERS.map(({ id }) => id));

/** Ends the questions of a task's tools after the task. */
export async function endToolQuestions(
  tx: StoreTransaction,
  { about, entry }: { about: About; entry: RecordOf<'task'> },
): Promise<void> {
  const { status } = entry;
  if (status !== 'accepted' && status !== 'ended' && status !== 'failed' && status !== 'cancelled') return;
  const open = await tx.listEscalations({ workerId: about.row.id, open: true, limit: QUESTIONS_READ_MAX });
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

/**
 * Ends the errors of a task that belong to no incident, such as failed tools. Once the task came to review, its tools no longer matter;
 * once it was accepted, no error does; a task that failed ends all of them.
 */
export async function endLooseErrors(
  tx: StoreTransaction,
  { about, entry }: { about: About; entry: RecordOf<'task'> },
): Promise<void> {
  const of = { workerId: about.row.id, task: entry.id };
  switch (entry.status) {
    case 'review':
      return tx.endLooseErrors({ ...of, component: TOOL }, { outcome: 'recovered', at: about.now });
    case 'accepted':
      return tx.endLooseErrors({ ...of, component: '' }, { outcome: 'recovered', at: about.now });
    case 'ended':
    case 'failed':
    case 'cancelled':
      return tx.endLooseErrors({ ...of, component: '' }, { outcome: 'cancelled', at: about.now });
    case 'started':
    case 'rejected':
      return undefined;
    default:
      return entry.status satisfies never;
  }
}

/** Closes the row of an incident that no decision about its worker closes, and its errors if a person answered. A closed row stays as it is. */
export async function endToolIncident(
  tx: StoreTransaction,
  id: string,
  { outcome, now }: { outcome: IncidentOutcome; now: number },
): Promise<void> {
  const known = await tx.readIncident(id);
  if (known === null || known.closedAt !== null) return;
  await tx.saveIncidents([{ ...known, closedAt: now, outcome }]);
  if (outcome === 'resolved') await tx.markErrorsRecovered(id, now);
}

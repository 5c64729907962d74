/**
 * What becomes of questions and errors that are no incident of their worker's own, which is at work, above all those that failed
 * tools have raised? They outlive the decision that wrote them, and end with their answer or with their task.
 */
import { TOOL, TOOL_ANSWERS } from '@drover/core';
import type { IncidentOutcome, StoreTransaction } from '@drover/store';
import { expireEscalation } from '../escalations/close.ts';
import type { About, RecordOf } from '../decisions/about.ts';

/** Questions of one worker that are looked through: one task asks few. */
const QUESTIONS_READ_MAX = 100;

const ANSWERS: ReadonlySet<string> = new Set(TOOL_ANSWERS.map(({ id }) => id));

/** A task is over: nobody has to answer any more what its tools had asked. */
export async function endToolQuestions(
  tx: StoreTransaction,
  { about, entry }: { about: About; entry: RecordOf<'task'> },
): Promise<void> {
  const { status } = entry;
  if (status !== 'accepted' && status !== 'ended' && status !== 'failed') return;
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
 * What becomes with a task of its errors that belong to no incident, such as tools that failed? Once it came to review, its tools
 * do not matter any more, and once it was accepted, nothing does; with a task that came to nothing all are called off.
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
      return tx.endLooseErrors({ ...of, component: '' }, { outcome: 'cancelled', at: about.now });
    case 'started':
    case 'rejected':
      return undefined;
    default:
      return entry.status satisfies never;
  }
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

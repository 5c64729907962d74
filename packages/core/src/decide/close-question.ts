/** When is a question to a person over? */
import { record, set } from './decision.ts';
import type { Step } from './decision.ts';

/** Ends the question: a person acted, or it is moot. What comes now is a new matter with a budget of its own. */
export function closeQuestion(step: Step, how: 'resolved' | 'cancelled', option: string | null = null): Step {
  const { incident } = step.worker;
  if (incident === null) return step;
  const closed = set(step, { incident: null, dialog: null });
  return record(closed, { kind: 'escalation-closed', incident: incident.id, how, option });
}

/** Whoever waited for a person's words and fails meanwhile has another trouble now. A dialog that stands there still is asked about anew. */
export function withoutOldQuestion(step: Step): Step {
  const { incident, dialog, pane } = step.worker;
  if (incident?.escalated !== true) return step;
  const closed = closeQuestion(step, 'cancelled');
  return dialog !== null && pane.kind === 'up' ? set(closed, { judgeDue: true }) : closed;
}

/**
 * Something fails before the option was chosen that a person named: that is another matter, with a budget and a question of
 * its own. A dialog that stands there still is asked about anew, but not for a worker in error: its question is all that it has.
 */
export function withoutAnsweredQuestion(step: Step): Step {
  const { incident, dialog, status } = step.worker;
  const isAnswered = dialog?.by === 'person' && dialog.label !== null && status !== 'error';
  if (incident === null || incident.escalated || incident.code !== 'AGENT_BLOCKED' || !isAnswered) return step;
  const told = record(step, { kind: 'answer-applied', incident: incident.id, application: 'rejected_stale' });
  return set(closeQuestion(told, 'cancelled'), { judgeDue: step.worker.pane.kind === 'up' });
}

/** Ends a question to a person. */
import { record, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { dropDialog, isAnswerPending } from '../worker/dialog.ts';
import { endIncident } from '../worker/incident.ts';
import { setJudgeDue } from '../worker/turn.ts';

/** Ends the question: a person acted, or it is moot. Any later failure is a new matter with a budget of its own. */
export function closeQuestion(step: Step, how: 'resolved' | 'cancelled', option: string | null = null): Step {
  const { incident, dialog } = step.worker;
  const { open } = incident;
  if (open === null) return step;
  const closed = set(step, { incident: endIncident(incident), dialog: dropDialog(dialog) });
  return record(closed, { kind: 'escalation-closed', incident: open.id, how, option });
}

/**
 * Withdraws the question of a worker that has failed while it waited for the answer. If its dialog is still on the screen, Drover asks about
 * it again.
 */
export function withdrawQuestion(step: Step): Step {
  const { incident, dialog, session } = step.worker;
  if (incident.open?.escalated !== true) return step;
  const closed = closeQuestion(step, 'cancelled');
  const mayStillAsk = dialog.inHand !== null && session.pane.kind === 'up';
  return mayStillAsk ? set(closed, { turn: setJudgeDue(closed.worker.turn, true) }) : closed;
}

/**
 * Closes the question when something fails before the named option was chosen: that is another matter, with a budget and a question of its
 * own. If the dialog is still on the screen, Drover asks about it again; a worker in error has no question but this one.
 */
export function closeAnsweredQuestion(step: Step): Step {
  const { incident, dialog, lifecycle, session } = step.worker;
  const { open } = incident;
  const isAnswered = isAnswerPending(dialog) && lifecycle.status !== 'error';
  if (open === null || open.escalated || open.code !== 'AGENT_BLOCKED' || !isAnswered) return step;
  const told = record(step, { kind: 'answer-applied', incident: open.id, application: 'rejected_stale' });
  const closed = closeQuestion(told, 'cancelled');
  return set(closed, { turn: setJudgeDue(closed.worker.turn, session.pane.kind === 'up') });
}

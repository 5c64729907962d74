/**
 * The program itself offers to stop and wait for a limit to reset: what is that for the worker? A usage limit like any
 * other; the dialog is answered by the agent's profile, and waiting is never a person's matter (docs/recovery.md, limits).
 */
import type { AgentState, Dialog } from '../agent-state.ts';
import { parseResetTime } from '../limits/reset-time.ts';
import { isLimit } from './account.ts';
import { agentError, LIMIT_OFFERED } from './agent-errors.ts';
import { become, rule, set } from './decision.ts';
import type { Step } from './decision.ts';

/** Whether a state shows the dialog of a limit. */
export function isLimitDialog(state: AgentState): state is Extract<AgentState, { kind: 'dialog' }> {
  return state.kind === 'dialog' && state.dialog.kind === 'limit';
}

/** The limit begins with its dialog: the account learns of it, and the reset is read where the dialog states one. */
export function limitBegins(step: Step, { title, body }: Dialog): Step {
  const { trouble } = step.worker;
  if (isAsked(step) || trouble?.until != null) return step;
  const words = `${title}\n${body}`;
  const resets = parseResetTime(words, step.ctx).kind === 'at' ? words : null;
  const composer = { kind: 'none' } as const;
  const error = { kind: 'error', error: 'usage-limit', recoverable: false } as const;
  return agentError(atWork(step), { ...error, text: LIMIT_OFFERED, resets, composer });
}

/**
 * A person has answered, and the agent is at its limit: it waits like everybody at a limit, and needs no input any more.
 * Any other answer, such as to pay for more, leaves the worker to the person who gave it.
 */
export function limitAnswered(step: Step, label: string): Step {
  const { trouble } = step.worker;
  if (trouble?.until == null || !isLimit(trouble.error)) return step;
  return /\bwait\b/iu.test(label) ? atWork(step) : set(step, { trouble: null });
}

/** A worker that waited for input is at work again, at its limit. */
export function atWork(step: Step): Step {
  if (step.worker.status !== 'needs_input') return step;
  return become(rule(step, 'waits-at-limit'), 'working', 'waits for a limit to reset');
}

/** Whether a person has a question of it, or took it over. */
export function isAsked({ worker: { status, incident, takenOver } }: Step): boolean {
  return takenOver || (status === 'needs_input' && incident?.escalated === true);
}

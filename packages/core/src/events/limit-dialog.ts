/**
 * Handles the program's own offer to stop and wait for a limit to reset: a usage limit like any other. The agent's profile answers the dialog,
 * and waiting is never a person's matter (docs/recovery.md, limits).
 */
import type { Dialog } from '../agent-state.ts';
import { become, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { parseResetTime } from '../limits/reset-time.ts';
import { isWaitingAtLimit, setTrouble } from '../worker/incident.ts';
import type { Worker } from '../worker/worker.ts';
import { handleAgentError, LIMIT_OFFERED } from './agent-error.ts';

/** Begins a limit with its dialog: the account learns of it, and the reset is read from the dialog if stated. */
export function beginLimit(step: Step, { title, body }: Dialog): Step {
  if (isAskedOf(step.worker) || step.worker.incident.trouble?.until != null) return step;
  const words = `${title}\n${body}`;
  const resets = parseResetTime(words, step.ctx).kind === 'at' ? words : null;
  const composer = { kind: 'none' } as const;
  const error = { kind: 'error', error: 'usage-limit', recoverable: false } as const;
  return handleAgentError(returnToLimit(step), { ...error, text: LIMIT_OFFERED, resets, composer });
}

/**
 * Handles a person's answer to the dialog of a limit: the worker waits like every worker at a limit, and needs no input any more. Any other
 * answer, such as to pay for more, leaves the worker to the person who gave it.
 */
export function limitAnswered(step: Step, label: string): Step {
  const { incident } = step.worker;
  if (!isWaitingAtLimit(incident)) return step;
  return /\bwait\b/iu.test(label) ? returnToLimit(step) : set(step, { incident: setTrouble(incident, null) });
}

/** Returns a worker that waited for input to work, at its limit. */
export function returnToLimit(step: Step): Step {
  if (step.worker.lifecycle.status !== 'needs_input') return step;
  return become(rule(step, 'waits-at-limit'), 'working', 'waits for a limit to reset');
}

/** Tells whether a person has a question about the dialog, or took the worker over. */
export function isAskedOf({ lifecycle, incident }: Worker): boolean {
  return lifecycle.takenOver || (lifecycle.status === 'needs_input' && incident.open?.escalated === true);
}

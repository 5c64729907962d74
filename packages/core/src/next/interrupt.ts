/** Issues the end of an agent's turn: its task is over. */
import { issue } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { isAlive } from '../worker/session.ts';
import type { Worker } from '../worker/worker.ts';

/** Tells whether an agent is to stop before anything else is done there. */
export function isInterruptDue({ session }: Worker): boolean {
  return session.interrupt != null && isAlive(session.pane);
}

/** Issues it. */
export function issueInterrupt(step: Step): Step {
  const { pane, interrupt } = step.worker.session;
  if (interrupt == null || !isAlive(pane)) return step;
  return issue(step, { kind: 'interrupt', incarnation: pane.incarnation, standsMs: interrupt.standsMs });
}

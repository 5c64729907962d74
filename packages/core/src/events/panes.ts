/** Handles the list of panes that a machine sends at each hello. */
import { rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { loseSession } from '../recovery/session-lost.ts';
import type { WorkerEvent } from '../worker/event.ts';
import { setRestoreDue } from '../worker/mailbox.ts';
import { endProgram, startProgram } from '../worker/session.ts';
import { turnBack } from './moves/turn-back.ts';
import { isBusy } from '../worker/status.ts';
import { inHand } from '../worker/task.ts';

const RESTARTED = 'its machine restarted, and its session is gone';

/** Takes what the machine has of this worker; null: no pane. */
export function panesListed(
  step: Step,
  { pane: found, hasRestarted }: Extract<WorkerEvent, { kind: 'panes-listed' }>,
): Step {
  const { session, command, lifecycle, mailbox, task, move } = step.worker;
  if (found === null) return session.pane.kind === 'absent' ? step : loseSession(step, hasRestarted && RESTARTED);
  if (session.pane.kind !== 'absent' || command.inFlight !== null) return step;
  // The worker left this place: a pane says nothing of the agent, unless the pane lives.
  if (move.kind === 'carrying' && found.dead) return step;
  const isCutOff = found.dead && isBusy(lifecycle.status) && inHand(task)?.taken === true;
  const { now } = step.ctx;
  const adopted = set(rule(step, 'adopt'), {
    mailbox: setRestoreDue(mailbox, mailbox.restoreDue || isCutOff),
    session: found.dead ? endProgram(session, found.incarnation, now) : startProgram(session, found.incarnation, now),
  });
  // A worker never has two agents: it stays with the agent that lives.
  return move.kind === 'carrying' ? turnBack(adopted, 'a program runs again in the worktree that it left') : adopted;
}

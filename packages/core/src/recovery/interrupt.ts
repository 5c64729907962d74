/** Follows an agent that was to stop: it is at rest, or it is started again with its conversation. */
import { record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { Success } from '../machine/commands.ts';
import { onlyLog } from './incident.ts';
import { RETRIES } from './plans.ts';
import { leaveSession } from './session-lost.ts';
import { countFailure, forgetFailures, holdUntil } from '../worker/command.ts';
import { isAlive, setInterrupt, setReplacement } from '../worker/session.ts';

/** Handles the machine's attempt to stop the agent. */
export function agentInterrupted(step: Step, result: Success<'interrupt'>): Step {
  switch (result.kind) {
    case 'at-rest':
      return set(rule(step, 'interrupted'), { session: setInterrupt(step.worker.session, null) });
    case 'not-interrupted':
      return startAgain(step, result.why);
    case 'pane-gone':
      return leaveSession(rule(step, 'pane-gone'));
    default:
      return result satisfies never;
  }
}

/** Retries an interrupt that the machine could not try, or did not report, within the budget of a command (R2). Repeating it is safe. */
export function interruptFailed(step: Step, { why, retry }: { readonly why: string; readonly retry: boolean }): Step {
  const { command } = step.worker;
  const { policy, now } = step.ctx;
  const counted = countFailure(command, 'interrupt');
  if (!retry || counted.failures > RETRIES.command(policy).retriesMax)
    return startAgain(set(step, { command: forgetFailures(command) }), why);
  return set(step, { command: holdUntil(counted, now + policy.command.retry.waitMs) });
}

/** Ends the program of an agent that does not stop, because a person wants that (R3); its conversation is taken up again. */
function startAgain(step: Step, why: string): Step {
  const { session } = step.worker;
  const message = `its agent did not stop (${why}), so Drover restarts it with its conversation`;
  const logged = onlyLog(rule(step, 'interrupt-in-vain'), { code: 'AGENT_STUCK', why: message });
  const told = record(logged, { kind: 'notice', text: message });
  return set(told, { session: setReplacement(setInterrupt(session, null), isAlive(session.pane)) });
}

/**
 * Decides whether a living program may be ended. Before Drover ends an agent by force, two independent signals agree: the failure that asks
 * for it, and a fresh check that finds the agent not at work (R3). A person's request needs neither.
 */
import { dialogOf } from './dialogs.ts';
import { issue, record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { Reading } from '../machine/reading.ts';
import { endRestore } from '../worker/checkpoint.ts';
import { holdUntil } from '../worker/command.ts';
import { setRestoreDue } from '../worker/mailbox.ts';
import {
  agreeToEnd,
  countBlindCheck,
  doubtOf,
  doubtProgram,
  isAlive,
  keepProgram,
  scheduleRestart,
  setConversation,
} from '../worker/session.ts';
import type { Doubt, Pane } from '../worker/session.ts';
import { endTurn, setJudgeDue } from '../worker/turn.ts';

/** Properties of the new program. */
export type Renewal = Pick<Doubt, 'fresh' | 'restore' | 'profile'>;

/** Renewal with the same agent, its conversation and only the waiting texts. */
export const SAME_AGENT: Renewal = { fresh: false, restore: false, profile: null };

/** Wants the agent started again: at once if no program lives, after a second signal if one does. */
export function renewAgent(step: Step, renewal: Renewal): Step {
  const { session, turn } = step.worker;
  const { pane } = session;
  if (isAlive(pane)) {
    const doubt = { checks: 0, mark: turn.progress.mark, ...renewal };
    return set(step, { session: doubtProgram(session, doubt, true) });
  }
  const { now } = step.ctx;
  // The pause after its crash still holds (R2).
  const at = pane.kind === 'dead' ? Math.max(now, pane.restartAt ?? now) : now;
  return applyRenewal(set(step, { session: scheduleRestart(session, at) }), renewal);
}

/** Applies a renewal, with effect from the next start. */
function applyRenewal(step: Step, { fresh, restore, profile }: Renewal): Step {
  const { session, mailbox, turn } = step.worker;
  const agreed = agreeToEnd(session);
  const next = set(step, {
    session: fresh ? setConversation(agreed, null) : agreed,
    mailbox: setRestoreDue(mailbox, mailbox.restoreDue || restore),
    turn: endTurn(turn),
  });
  return profile === null ? next : record(next, { kind: 'profile-changed', from: step.ctx.profile, to: profile });
}

/** Issues the check that must agree. */
export function issueSecondCheck(step: Step): Step {
  return issue(rule(step, 'doubt:check'), { kind: 'observe', base: null, delivery: null });
}

/** Settles a doubt by a fresh check made while an end by force was considered. `before` is the pane before that check. */
export function settleDoubt(step: Step, screen: Reading | null, before: Pane): Step {
  const { session } = step.worker;
  const doubt = doubtOf(session);
  if (doubt === null) return step;
  if (screen === null) return countUnreadable(step, doubt);
  // A start that asks something waits for its answer.
  const cameUp = before.kind === 'starting' && (session.pane.kind === 'up' || dialogOf(screen.state) !== null);
  if (cameUp) return leaveAgent(step);
  const seen = leaveAgentAtWork(step, screen);
  return doubtOf(seen.worker.session) === null ? seen : endByForce(rule(seen, 'doubt:agreed'), doubt);
}

/** Leaves an agent alone that a check finds at work (R3); a check for another reason cannot agree to its end. */
export function leaveAgentAtWork(step: Step, screen: Reading | null): Step {
  const doubt = doubtOf(step.worker.session);
  const isAtWork = doubt !== null && screen?.state.kind === 'processing' && screen.progress !== doubt.mark;
  return isAtWork ? leaveAgent(step) : step;
}

function leaveAgent(step: Step): Step {
  const { session, checkpoint } = step.worker;
  return set(rule(step, 'doubt:it-works'), { session: keepProgram(session), checkpoint: endRestore(checkpoint) });
}

function endByForce(step: Step, doubt: Doubt): Step {
  return applyRenewal(set(step, { turn: setJudgeDue(step.worker.turn, false) }), doubt);
}

/** Counts checks of a screen that cannot be read: a single one says nothing; too many say that the pane is broken. */
function countUnreadable(step: Step, doubt: Doubt): Step {
  const { refused, incident } = step.ctx.policy;
  if (doubt.checks + 1 >= incident.blindChecksMax) return endByForce(rule(step, 'doubt:blind'), doubt);
  const { session, command } = step.worker;
  return set(step, {
    session: countBlindCheck(session),
    command: holdUntil(command, step.ctx.now + refused.waitMs),
  });
}

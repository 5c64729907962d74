/**
 * May a living program be ended? Before Drover starts an agent anew by force, two independent signals agree: the failure
 * that asks for it, and a fresh look that finds the agent not at work (R3). A person's order needs neither.
 */
import type { Look } from '../worker/op.ts';
import type { Doubt } from '../worker/incident.ts';
import type { Pane } from '../worker/worker.ts';
import { order, record, rule, set } from './decision.ts';
import type { Step } from './decision.ts';

/** What the new program shall be like. */
export type Renewal = Pick<Doubt, 'fresh' | 'restore' | 'profile'>;

/** The same agent, with its conversation and without other words than those that wait. */
export const SAME_AGENT: Renewal = { fresh: false, restore: false, profile: null };

/** Wants the agent started anew: at once where no program lives, after a second signal where one does. */
export function renew(step: Step, renewal: Renewal): Step {
  const { pane, progress } = step.worker;
  if (pane.kind === 'up' || pane.kind === 'starting')
    return set(step, { respawnDue: true, doubt: { looks: 0, mark: progress.mark, ...renewal } });
  const { now } = step.ctx;
  // The pause after its crash still holds (R2).
  const seated =
    pane.kind === 'dead' ? set(step, { pane: { ...pane, restartAt: Math.max(now, pane.restartAt ?? now) } }) : step;
  return renewed(seated, renewal);
}

/** The change takes effect with the next start. */
function renewed(step: Step, { fresh, restore, profile }: Renewal): Step {
  const { conversation, restoreDue } = step.worker;
  const next = set(step, {
    conversation: fresh ? null : conversation,
    restoreDue: restoreDue || restore,
    turnSince: null,
    doubt: null,
  });
  return profile === null ? next : record(next, { kind: 'profile-changed', from: step.ctx.profile, to: profile });
}

/** Orders the look that must agree. */
export function orderSecondLook(step: Step): Step {
  return order(rule(step, 'doubt:look'), { kind: 'look', base: null, delivery: null });
}

/** A fresh look was taken while an end by force was considered. `before` is the pane before it. */
export function settleDoubt(step: Step, screen: Look | null, before: Pane): Step {
  const { doubt, pane } = step.worker;
  if (doubt === null) return step;
  if (screen === null) return unreadable(step, doubt);
  const cameUp = before.kind === 'starting' && pane.kind === 'up';
  if (cameUp) return left(step);
  const seen = unlessAtWork(step, screen);
  return seen.worker.doubt === null ? seen : renewed(set(rule(step, 'doubt:agreed'), { judgeDue: false }), doubt);
}

/** A look that was taken for another reason cannot agree; but an agent that it finds at work is left alone (R3). */
export function unlessAtWork(step: Step, screen: Look | null): Step {
  const { doubt } = step.worker;
  const isAtWork = doubt !== null && screen?.state.kind === 'processing' && screen.progress !== doubt.mark;
  return isAtWork ? left(step) : step;
}

function left(step: Step): Step {
  return set(rule(step, 'doubt:it-works'), { respawnDue: false, restoreFrom: null, doubt: null });
}

/** A screen that cannot be read says nothing; one that never can says that the pane is broken. */
function unreadable(step: Step, doubt: Doubt): Step {
  const { refused, incident } = step.ctx.policy;
  const looks = doubt.looks + 1;
  if (looks >= incident.blindLooksMax) return renewed(set(rule(step, 'doubt:blind'), { judgeDue: false }), doubt);
  return set(step, { doubt: { ...doubt, looks }, holdUntil: step.ctx.now + refused.waitMs });
}

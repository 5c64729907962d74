/**
 * Leads every recovery the same way (docs/adr/0006-one-way-for-every-recovery.md): retries while the budget lasts, then each alternative that
 * applies, once, then a person.
 */
import { become, happen, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { firstLevel } from '../taxonomy/codes.ts';
import type { Strategy } from '../taxonomy/strategy.ts';
import { holdUntil } from '../worker/command.ts';
import { changeIncident } from '../worker/incident.ts';
import { unsentTexts } from '../worker/mailbox.ts';
import { countAsUp } from '../worker/session.ts';
import { withdrawQuestion } from './close-question.ts';
import { beginAttempt, logFailure, mayTry, notBefore, openIncident } from './incident.ts';
import type { Attempt, Failure } from './incident.ts';
import { RECOVERY_PLANS } from './plans.ts';
import { askAPerson } from './questions.ts';
import { wantCheckpointFirst } from './save.ts';
import { askForWays, nextWayOut, takeAlternative } from './second-level.ts';
import { selectStrategy } from './strategies.ts';
import { tellUnread } from './told.ts';

/** Level 1: another attempt of the same kind. */
export interface SameAgain {
  /** `caller`: the caller counts (rungs, crashes, nudges); `incident`: the budget of level 1 holds too. */
  readonly counts: 'caller' | 'incident';
  /** Attempt to make. The code gives its strategy, unless the attempt names one. */
  readonly attempt: Omit<Attempt, 'strategy'> & { readonly strategy?: Strategy };
  readonly act: (step: Step) => Step;
}

/** Handles a failure. `same` is null when the same again cannot help. */
export function recover(step: Step, failure: Failure, same: SameAgain | null): Step {
  const asked = alreadyAsked(step, failure);
  if (asked !== null) return asked;
  const known = openIncident(withdrawQuestion(step), failure);
  return same !== null && mayTry(known, same.counts)
    ? trySameAgain(known, failure, same)
    : tryAnotherWay(known, failure);
}

const NOTHING_LEFT = { mayRepeat: false, alternative: null } as const;

/** R2: tries again; an attempt that names no time of its own waits out the pause after the last incident. */
function trySameAgain(known: Step, failure: Failure, { attempt, act }: SameAgain): Step {
  const { now } = known.ctx;
  const at = attempt.at ?? notBefore(known, now);
  const { strategy } = selectStrategy(failure.code, { ...NOTHING_LEFT, mayRepeat: true });
  const begun = { ...attempt, at, strategy: attempt.strategy ?? strategy };
  const logged = logFailure(known, failure, begun.strategy);
  const saved = attempt.isWait === true ? logged : wantCheckpointFirst(logged, attempt.action);
  const acted = act(beginAttempt(saved, begun));
  if (attempt.at !== undefined || at <= now) return acted;
  return set(acted, { command: holdUntil(acted.worker.command, at) });
}

/** Tries level 2, or level 4 if nothing else applies. */
function tryAnotherWay(before: Step, failure: Failure): Step {
  const isAllowed = mayTry(before, 'caller');
  const known = isAllowed ? askForWays(before) : before;
  const next = isAllowed ? nextWayOut(known, failure) : null;
  if (next === null) return handToPerson(isAllowed ? rule(known, 'alternative:none') : known, failure);
  const { strategy } = selectStrategy(failure.code, { mayRepeat: false, alternative: next.kind });
  return takeAlternative(logFailure(known, failure, strategy), next, strategy);
}

/** Goes on to the next alternative because the last one could not be carried out. */
export function tryNextWay(step: Step, failure: Failure): Step {
  return step.worker.incident.open === null ? step : tryAnotherWay(openIncident(step, failure), failure);
}

/** Goes to level 4 without any attempt: the caller's own budget is spent, or nothing can help. */
export function giveUp(step: Step, failure: Failure): Step {
  const asked = alreadyAsked(step, failure);
  if (asked !== null) return asked;
  const known = openIncident(withdrawQuestion(step), failure);
  // A failure that only a person can end has no level 2.
  const isFallThrough = firstLevel(failure.code) !== 4 && RECOVERY_PLANS[failure.code].alternatives.length === 0;
  return handToPerson(isFallThrough ? rule(known, 'alternative:none') : known, failure);
}

/**
 * Returns the step of a worker in error that has asked a person: it does nothing until the answer, and further failures are only written down.
 * A worker that was on its way back there, with a session that fails, is in error again: nothing more is done to bring it up.
 */
function alreadyAsked(step: Step, failure: Failure): Step | null {
  const { incident, lifecycle, session } = step.worker;
  const { status, before, wanted } = lifecycle;
  const comesBack = status === 'offline' && before === 'error';
  if (incident.open?.escalated !== true || !(status === 'error' || comesBack)) return null;
  const known = logFailure(step, failure, 'escalate');
  if (!comesBack || wanted !== 'up') return known;
  return become(set(known, { session: countAsUp(session) }), 'error', incident.open.why);
}

/** Hands the worker to a person: nothing is left to try, so it is in error, and its work is kept. */
function handToPerson(known: Step, failure: Failure): Step {
  const { code, why } = failure;
  const step = logFailure(known, failure, selectStrategy(code, NOTHING_LEFT).strategy);
  const { mailbox, incident } = step.worker;
  const held = unsentTexts(mailbox).filter(({ purpose }) => purpose !== 'nudge' && purpose !== 'continue');
  const told = tellUnread(step, mailbox.queued, 'its agent has texts in its own queue, and may never read');
  const kept = set(rule(told, `give-up:${code}`), { incident: changeIncident(incident, { held }) });
  return askAPerson(happen(kept, 'given-up'), why);
}

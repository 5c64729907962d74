/**
 * What is done about a failure? The one way of every recovery (docs/adr/0070-one-way-for-every-recovery.md): the same
 * again while the budget lasts, then each alternative that applies, once, then a person.
 */
import { become, rule, set } from './decision.ts';
import type { Step } from './decision.ts';
import { selectStrategy } from '../retry/strategies.ts';
import type { Strategy } from '../retry/strategies.ts';
import { nextWayOut, takeAlternative } from './alternatives.ts';
import { withoutOldQuestion } from './close-question.ts';
import { askAPerson } from './escalation.ts';
import { attempted, logged, mayTry, notBefore, opened } from './incident.ts';
import type { Attempt, Failure } from './incident.ts';
import { waitingTexts, wordsDropped } from './words.ts';

/** Level 1: the same again. */
export interface SameAgain {
  /** `own`: the caller counts (rungs, crashes, nudges), and what is spent goes to a person; `policy`: 3 of an incident. */
  readonly plan: 'own' | 'policy';
  /** Its strategy is that of the code, unless it is named. */
  readonly attempt: Omit<Attempt, 'strategy'> & { readonly strategy?: Strategy };
  readonly act: (step: Step) => Step;
}

/** Handles a failure. `same` is null when the same again cannot help. */
export function recover(step: Step, failure: Failure, same: SameAgain | null): Step {
  const asked = alreadyAsked(step, failure);
  if (asked !== null) return asked;
  const known = opened(withoutOldQuestion(step), failure);
  if (same !== null && mayTry(known, same.plan)) return again(known, failure, same);
  return same?.plan === 'own' ? escalate(known, failure) : anotherWay(known, failure);
}

const NOTHING_LEFT = { mayRepeat: false, alternative: null } as const;

/** R2: an attempt that names no time of its own waits out the pause after the last incident. */
function again(known: Step, failure: Failure, { attempt, act }: SameAgain): Step {
  const { now } = known.ctx;
  const at = attempt.at ?? notBefore(known, now);
  const { strategy } = selectStrategy(failure.code, { ...NOTHING_LEFT, mayRepeat: true });
  const begun = { ...attempt, at, strategy: attempt.strategy ?? strategy };
  const acted = act(attempted(logged(known, failure, begun.strategy), begun));
  return attempt.at === undefined && at > now ? set(acted, { holdUntil: at }) : acted;
}

/** Level 2, or level 4 if nothing else applies. */
function anotherWay(known: Step, failure: Failure): Step {
  const { incident } = known.worker;
  const mayGoOn = incident !== null && incident.level < 4 && mayTry(known, 'own');
  const next = mayGoOn ? nextWayOut(known, failure) : null;
  if (next === null) return escalate(known, failure);
  const { strategy } = selectStrategy(failure.code, { mayRepeat: false, alternative: next.kind });
  return takeAlternative(logged(known, failure, strategy), next, strategy);
}

function escalate(known: Step, failure: Failure): Step {
  return giveUp(logged(known, failure, selectStrategy(failure.code, NOTHING_LEFT).strategy), failure);
}

/** Level 4 without any attempt: the budget of the caller's own plan is spent, or nothing can help. */
export function givenUp(step: Step, failure: Failure): Step {
  return alreadyAsked(step, failure) ?? escalate(opened(withoutOldQuestion(step), failure), failure);
}

/**
 * A worker in error has asked a person, and does nothing until the answer: what else fails is only written down. One that
 * was on its way back there, with a session that fails, stands there again: nothing more is done to bring it up.
 */
function alreadyAsked(step: Step, failure: Failure): Step | null {
  const { incident, status, before, wanted, pane } = step.worker;
  const comesBack = status === 'offline' && before === 'error';
  if (incident?.escalated !== true || !(status === 'error' || comesBack)) return null;
  const known = logged(step, failure, 'escalate');
  if (!comesBack || wanted !== 'up') return known;
  const stands = set(known, { pane: pane.kind === 'starting' ? { ...pane, kind: 'up' } : pane });
  return become(stands, 'error', incident.why);
}

/** Goes on to the next alternative because the last one could not be carried out. */
export function nextWay(step: Step, failure: Failure): Step {
  return step.worker.incident === null ? step : anotherWay(opened(step, failure), failure);
}

/** Nothing is left to try: error, the work is kept, and a person is asked. */
function giveUp(step: Step, { code, why }: Failure): Step {
  const { accept, queued, incident, pane } = step.worker;
  const held = waitingTexts(step.worker).filter(({ purpose }) => purpose !== 'nudge' && purpose !== 'continue');
  const told = wordsDropped(step, queued, 'its program has in its own queue, and may never read');
  const failed = set(rule(told, `give-up:${code}`), {
    incident: incident === null ? null : { ...incident, held },
    accept: accept?.step === 'waiting' ? null : accept,
    outgoing: null,
    backlog: [],
    queued: [],
    judgeDue: false,
    turnSince: null,
    respawnDue: false,
    doubt: null,
    restoreFrom: null,
    failures: 0,
    trouble: null,
    takenOver: false,
    // Nobody waits for its prompt any more.
    pane: pane.kind === 'starting' ? { ...pane, kind: 'up' } : pane,
  });
  return askAPerson(failed, why);
}

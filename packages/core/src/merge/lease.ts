/** Gives the project's merge lease back: each worker aboard of its train hears of it in the same decision. */
import { record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { sentBackText } from '../policy/texts.ts';
import { forgetFailures } from '../worker/command.ts';
import type { TrainEvent } from '../worker/event.ts';
import { restartIfLeft } from '../worker/session.ts';
import type { Worker } from '../worker/worker.ts';
import { endAccept, goTo, offerOf } from './state.ts';
import { acceptOf, isAccepting, needsLease } from './step.ts';
import type { Accept } from './step.ts';

/** Gives the lease back once the accept is over, so that another worker may merge. */
export function releaseLease(
  step: Step,
  name: `accept:${'conflict' | 'rewritten' | 'invalid' | 'stopped' | 'offered' | 'done'}`,
): Step {
  const known = dismissMembers(step, 'the work before it is not merged: it keeps its place');
  const { merge, command, session } = known.worker;
  const released = set(rule(known, name), {
    merge: endAccept(merge),
    command: forgetFailures(command),
    session: restartIfLeft(session, step.ctx.now),
  });
  return record(released, { kind: 'lease', action: 'release' });
}

/** Gives the lease back, and lets the accept wait for its turn again; not before a time, in epoch milliseconds, if one is given. */
export function waitAgain(step: Step, notBefore: number | null = null): Step {
  const { merge } = step.worker;
  const at = merge.step;
  if (!isAccepting(at)) return step;
  const maybe = at.kind === 'publishing' ? at.own.commit : at.accept.maybe;
  const waiting = goTo(merge, { kind: 'waiting', accept: { ...at.accept, maybe }, notBefore });
  return record(set(step, { merge: waiting }), { kind: 'lease', action: 'release' });
}

/** Dismisses the members aboard, which keep their places. */
export function dismissMembers(step: Step, why: string): Step {
  const at = step.worker.merge.step;
  if (!needsLease(at) || at.train === null) return step;
  const left = leftEvent(at.accept, why);
  if (at.kind !== 'publishing')
    return record(step, { kind: 'train', told: at.train.members.map(({ id }) => ({ worker: id, event: left })) });
  const told = at.train.members.map(({ id, link }, index) => {
    const isOnItsWay = index + 2 <= at.prefix;
    return { worker: id, event: isOnItsWay ? { ...left, maybe: link.commit } : left };
  });
  return record(step, { kind: 'train', told });
}

/** Returns the event for a member that keeps its place. */
export function leftEvent(
  { runs, red }: Pick<Accept, 'runs' | 'red'>,
  why: string,
): Extract<TrainEvent, { kind: 'train-left' }> {
  return { kind: 'train-left', why, runs, red, maybe: null };
}

/**
 * Writes down how an accept ended, for any cause: programs that wait for the accept ask for this record, and not for the state of the worker
 * by then.
 *
 * @param before The worker before the decision.
 */
export function recordAcceptEnd({ merge: before }: Worker, step: Step): Step {
  const accept = acceptOf(before.step);
  const { merge, lifecycle } = step.worker;
  if (accept === null || isAccepting(merge.step)) return step;
  const ended = (how: 'merged' | 'offered' | 'stopped', why: string): Step =>
    record(step, { kind: 'accept-ended', how, why });
  if (step.rules.includes('accept:done')) return ended('merged', lifecycle.note);
  if (offerOf(merge, accept.pin.head) !== null) return ended('offered', lifecycle.note);
  const { sentBack } = merge;
  return ended('stopped', sentBack === null ? lifecycle.note : sentBackText(sentBack));
}

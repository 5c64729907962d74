/** How an accept gives the project's merge lease back: each worker aboard of its train hears of it in the same decision. */
import { record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { sentBackText } from '../policy/texts.ts';
import { forgetFailures } from '../worker/command.ts';
import type { TrainEvent } from '../worker/event.ts';
import { restartIfLeft } from '../worker/session.ts';
import type { Worker } from '../worker/worker.ts';
import { endAccept, goTo, offerOf } from './state.ts';
import type { Accept } from './step.ts';

/** The accept is over, and another worker may merge. */
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

/** The lease is given back, and the accept waits for its turn again; not before a time, in epoch milliseconds, if one is given. */
export function waitAgain(step: Step, notBefore: number | null = null): Step {
  const { merge } = step.worker;
  const { accept } = merge;
  if (accept === null) return step;
  const maybe = accept.step === 'publish' ? accept.commit : (accept.maybe ?? null);
  const fresh = {
    step: 'waiting',
    base: null,
    commit: null,
    tree: null,
    train: null,
    on: null,
    notBefore,
    maybe,
  } as const;
  return record(set(step, { merge: goTo(merge, accept, fresh) }), { kind: 'lease', action: 'release' });
}

/** Those aboard keep their places. */
export function dismissMembers(step: Step, why: string): Step {
  const { accept } = step.worker.merge;
  const members = accept?.train?.members ?? [];
  if (accept === null || members.length === 0) return step;
  const { at, links } = accept.train ?? { at: null, links: null };
  const told = members.map(({ id }, index) => {
    const isOnItsWay = accept.step === 'publish' && index + 2 <= (at ?? 0);
    const maybe = isOnItsWay ? (links?.[index]?.commit ?? null) : null;
    return { worker: id, event: { ...leftEvent(accept, why), maybe } };
  });
  return record(step, { kind: 'train', told });
}

/** What a member hears that keeps its place. */
export function leftEvent(
  { runs = [], red }: Pick<Accept, 'runs' | 'red'>,
  why: string,
): Extract<TrainEvent, { kind: 'train-left' }> {
  return { kind: 'train-left', why, runs, red: red ?? null, maybe: null };
}

/**
 * Writes down how an accept ended, whatever ended it: who waits for it asks for that, and not for the state of the worker by then.
 *
 * @param before The worker before the decision.
 */
export function recordAcceptEnd({ merge: before }: Worker, step: Step): Step {
  const { accept } = before;
  const { merge, lifecycle } = step.worker;
  if (accept === null || merge.accept !== null) return step;
  const ended = (how: 'merged' | 'offered' | 'stopped', why: string): Step =>
    record(step, { kind: 'accept-ended', how, why });
  if (step.rules.includes('accept:done')) return ended('merged', lifecycle.note);
  if (offerOf(merge, accept.pin.head) !== null) return ended('offered', lifecycle.note);
  const { sentBack } = merge;
  return ended('stopped', sentBack === null ? lifecycle.note : sentBackText(sentBack));
}

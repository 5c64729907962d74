/** Writes down how an accept ended, whatever ended it: who waits for it asks for that, and not for the state of the worker by then. */
import { sentBackText } from '../policy/texts.ts';
import { offerOf } from '../worker/merge.ts';
import type { Worker } from '../worker/worker.ts';
import { record } from './step.ts';
import type { Step } from './step.ts';

/** `before` is the worker before the decision. */
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

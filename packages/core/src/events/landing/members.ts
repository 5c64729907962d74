/** What the members of a merge train hear of it: each decides for itself, in the transaction of its conductor. */
import { note, rule, set } from '../../decision/step.ts';
import type { Step } from '../../decision/step.ts';
import type { Accept } from '../../landing/accept.ts';
import type { TrainEvent } from '../../worker/event.ts';
import { goTo, sendBack } from '../../worker/merge.ts';
import { checksFailed } from '../conflicts.ts';

/** It is aboard: what it was at waits until it hears from the conductor. */
export function trainBoarded(step: Step, { conductor }: Extract<TrainEvent, { kind: 'train-boarded' }>): Step {
  const { accept } = step.worker.merge;
  if (accept?.step !== 'waiting') return rule(step, 'train:not-aboard');
  const boarded = put(rule(step, 'train:boarded'), accept, { step: 'aboard', conductor, notBefore: null });
  return note(boarded, `in the train of "${conductor.name}", place ${conductor.place} of ${conductor.of}`);
}

/** It goes with the next one. */
export function trainLeft(step: Step, { why, runs, red, maybe }: Extract<TrainEvent, { kind: 'train-left' }>): Step {
  const accept = aboard(step);
  if (accept === null) return rule(step, 'train:not-aboard');
  const { now, policy } = step.ctx;
  // The others hear of it too, before the next train departs.
  const notBefore = now + (red === null ? policy.trainGatherMs : policy.checkEveryMs);
  const back = {
    step: 'waiting',
    conductor: null,
    runs,
    red,
    notBefore,
    maybe: maybe ?? accept.maybe ?? null,
  } as const;
  return note(put(rule(step, 'train:left'), accept, back), why);
}

/** It is merged, as its machine said to the conductor; git is asked for its own commit all the same (G5). */
export function trainArrived(step: Step, { base, commit }: Extract<TrainEvent, { kind: 'train-landed' }>): Step {
  const accept = aboard(step);
  if (accept === null) return rule(step, 'train:not-aboard');
  return put(rule(step, 'train:landed'), accept, { step: 'prove', base, commit });
}

/** Its agent repairs what its work breaks. */
export function trainBlamed(step: Step, event: Extract<TrainEvent, { kind: 'train-culprit' }>): Step {
  if (aboard(step) === null) return rule(step, 'train:not-aboard');
  const { command, before } = event;
  const named = rule(step, 'train:culprit');
  const output = `The checks pass with the work of ${before.join(', ')} and fail, twice, with yours on top of it.\n\n${event.output}`;
  const merge = sendBack(named.worker.merge, { command, before, at: step.ctx.now });
  return checksFailed(set(named, { merge }), { command, output });
}

function aboard({ worker: { merge } }: Step): Accept | null {
  return merge.accept?.step === 'aboard' ? merge.accept : null;
}

function put(step: Step, accept: Accept, change: Partial<Accept>): Step {
  return set(step, { merge: goTo(step.worker.merge, accept, change) });
}

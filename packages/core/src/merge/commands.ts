/**
 * Issues the command of the present step: of work that is checked for its review, or of accepted work that is merged. Only the worker
 * that holds the project's merge lease is between `waiting` and `prove`.
 */
import { issue, note, record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { Command, Pin } from '../machine/commands.ts';
import { inHand } from '../worker/task.ts';
import { isAway, newTrain } from './chain.ts';
import { dismissMembers, waitAgain } from './lease.ts';
import { goTo } from './state.ts';
import type { Review } from './state.ts';
import { prefixAt } from './step.ts';
import type { Accept, AcceptStep } from './step.ts';

/** What each step of a merge does. */
const STEPS: Readonly<Record<AcceptStep, (step: Step, accept: Accept) => Step>> = {
  waiting: takeTurn,
  aboard: stayAboard,
  candidate: withLease((step, { pin }) => issueCandidate(step, pin)),
  extend: withLease((step, { commit, train }) =>
    issue(step, {
      kind: 'extend',
      onto: commit ?? '',
      items: (train?.members ?? []).map(({ name, pin, elsewhere = false }) =>
        elsewhere ? { worker: name, at: pin, elsewhere } : { worker: name, at: pin },
      ),
    }),
  ),
  validate: withLease(issueChecks),
  publish: withLease((step, accept) =>
    issue(step, {
      kind: 'publish',
      base: accept.base ?? '',
      commit: prefixAt(accept).head,
      work: workOf(step, accept),
    }),
  ),
  prove: (step, { commit }) => issue(step, { kind: 'prove', commit: commit ?? '' }),
  close: (step, accept) =>
    step.worker.session.pane.kind === 'absent'
      ? issueMergeStep(set(step, { merge: goTo(step.worker.merge, accept, { step: 'recycle' }) }))
      : issue(step, { kind: 'close' }),
  recycle: (step, { commit, pin }) => issue(step, { kind: 'recycle', commit: commit ?? '', head: pin.head }),
};

/** Issues the command of the present step. */
export function issueMergeStep(step: Step): Step {
  const { accept } = step.worker.merge;
  return accept === null ? step : STEPS[accept.step](step, accept);
}

/** Where they run is chosen with the first candidate, and again when that machine is not heard any more. */
function issueChecks(step: Step, accept: Accept): Step {
  const place = accept.on ?? step.ctx.checkPlace ?? null;
  const placed = accept.on === place ? step : set(step, { merge: goTo(step.worker.merge, accept, { on: place }) });
  const at = prefixAt(accept);
  if (!isAway(place)) return issue(placed, { kind: 'validate', at });
  const noted = note(placed, `its checks run on "${place.machine}": ${place.why}`);
  return issue(rule(noted, 'accept:checked-elsewhere'), { kind: 'validate', at, on: place.machine });
}

/** Names a branch, where accepted work is handed over as one. */
function workOf({ worker }: Step, { pin }: Accept): Command<'publish'>['work'] {
  return { head: pin.head, task: inHand(worker.task)?.id ?? null };
}

/** A machine that was silent for too long has lost its worker the lease: where another merges by now, its turn comes again. */
function withLease(act: (step: Step, accept: Accept) => Step): (step: Step, accept: Accept) => Step {
  return (step, accept) => {
    switch (step.ctx.mergeLease) {
      case 'mine':
        return act(step, accept);
      case 'free':
        return act(record(step, { kind: 'lease', action: 'acquire' }), accept);
      case 'other':
        return waitAgain(dismissMembers(rule(step, 'accept:waits-for-its-turn'), 'another worker merges first'));
      default:
        return step.ctx.mergeLease satisfies never;
    }
  };
}

/** Who was accepted first goes first, and takes along who waits behind it. */
function takeTurn(step: Step, accept: Accept): Step {
  const { mergeLease, queue, now, policy } = step.ctx;
  const isLater = now < (accept.notBefore ?? 0);
  if (isLater || mergeLease === 'other') return rule(step, 'accept:waits-for-its-turn');
  if (queue !== undefined && queue.first !== null) return rule(step, 'train:yields');
  const mine = mergeLease === 'mine' ? step : record(step, { kind: 'lease', action: 'acquire' });
  const begun = { step: 'candidate', moved: 0, notBefore: null } as const;
  const members = queue?.members.slice(0, Math.max(0, policy.trainMax - 1)) ?? [];
  if (queue === undefined || members.length === 0)
    return issueMergeStep(set(mine, { merge: goTo(mine.worker.merge, accept, { ...begun, train: null }) }));
  const told = members.map(({ id }, index) => {
    const conductor = { ...queue.me, place: index + 2, of: members.length + 1 };
    return { worker: id, event: { kind: 'train-boarded', conductor } as const };
  });
  const departed = record(rule(mine, 'train:departs'), { kind: 'train', told });
  const train = newTrain(queue.me, members);
  const noted = note(departed, `conducts a train: ${[queue.me, ...members].map(({ name }) => name).join(', ')}`);
  return issueMergeStep(set(noted, { merge: goTo(noted.worker.merge, accept, { ...begun, train }) }));
}

/** Where its conductor was taken out of the fleet, it waits for its turn again. */
function stayAboard(step: Step, accept: Accept): Step {
  if (step.ctx.isAboard !== false) return rule(step, 'train:aboard');
  // Its turn is found by a later look, so that hearing of this twice is hearing of it once.
  const notBefore = step.ctx.now + step.ctx.policy.trainGatherMs;
  const back = { step: 'waiting', conductor: null, notBefore } as const;
  return set(rule(step, 'train:lost'), { merge: goTo(step.worker.merge, accept, back) });
}

/** What each step of a check of the work does. */
const REVIEW_STEPS: Readonly<Record<Review['step'], (step: Step, review: Review) => Step>> = {
  candidate: (step, { head }) => issueCandidate(step, { head, tree: null }),
  validate: (step, { alone = false }) => {
    const { candidate } = step.worker.merge;
    if (candidate?.kind !== 'candidate') return step;
    const { base, commit, tree } = candidate;
    return issue(step, { kind: 'validate', at: alone ? { head: base, tree: null } : { head: commit, tree } });
  },
  rebase: (step, { head }) => issue(step, { kind: 'rebase', at: { head, tree: null }, began: beganOf(step) }),
};

/** Issues the command of the present step. */
export function issueReviewStep(step: Step): Step {
  const { review } = step.worker.merge;
  return review === null ? step : REVIEW_STEPS[review.step](step, review);
}

/** Issues the rebase that a person asked for, or that comes before a text; only of the HEAD that is known. */
export function issueRebase(step: Step): Step {
  const { git } = step.worker.worktree;
  return issue(step, {
    kind: 'rebase',
    at: git === null ? null : { head: git.head, tree: null },
    began: beganOf(step),
  });
}

/** Issues the candidate of a commit, which the branch must be at. */
export function issueCandidate(step: Step, at: Pin): Step {
  return issue(step, { kind: 'candidate', at, began: beganOf(step) });
}

/** The commit on which the work began; null: not known. */
function beganOf({ worker }: Step): string | null {
  const { place } = worker.worktree;
  return place.kind === 'none' ? null : place.base;
}

/** Issues the present step of a merge. Only the worker that holds the project's merge lease is past `waiting`. */
import { issue, record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { goTo } from '../worker/merge.ts';
import type { Accept, AcceptStep } from '../worker/merge.ts';
import { issueCandidate } from './review.ts';

/** What each step of a merge does. */
const STEPS: Readonly<Record<AcceptStep, (step: Step, accept: Accept) => Step>> = {
  waiting: takeTurn,
  candidate: (step, { pin }) => issueCandidate(step, pin),
  validate: (step, { commit, tree }) => issue(step, { kind: 'validate', at: { head: commit ?? '', tree } }),
  publish: (step, { base, commit }) => issue(step, { kind: 'publish', base: base ?? '', commit: commit ?? '' }),
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

function takeTurn(step: Step, accept: Accept): Step {
  if (step.ctx.mergeLease === 'other') return rule(step, 'accept:waits-for-its-turn');
  const mine = step.ctx.mergeLease === 'mine' ? step : record(step, { kind: 'lease', action: 'acquire' });
  return issueMergeStep(set(mine, { merge: goTo(mine.worker.merge, accept, { step: 'candidate' }) }));
}

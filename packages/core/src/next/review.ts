/** Issues the next step of checking work: what it is on the newest default branch, then the project's checks on that. */
import { issue } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { Pin } from '../machine/commands.ts';
import type { Review } from '../worker/merge.ts';

/** What each step of a check of the work does. */
const STEPS: Readonly<Record<Review['step'], (step: Step, review: Review) => Step>> = {
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
  return review === null ? step : STEPS[review.step](step, review);
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

/**
 * The default branch no longer holds what work stands on: a merge would bring that back (docs/adr/0174-work-on-a-rewritten-default-branch.md).
 * The commits of the work alone are put on the new default branch, and are checked and reviewed there.
 */
import { note, set } from '../../decision/step.ts';
import type { Step } from '../../decision/step.ts';
import { releaseLease } from '../../decision/train.ts';
import type { Accept } from '../../landing/accept.ts';
import { rewrittenText } from '../../policy/texts.ts';
import { isGivenUp, setCandidate, setRebaseDue, stepReview } from '../../worker/merge.ts';
import type { Candidate, Merge } from '../../worker/merge.ts';

type Rewritten = Extract<Candidate, { kind: 'rewritten' }>;

/** Work that is checked, or waits. @returns null where its agent gave up exactly these conflicts. */
export function reviewRewritten(step: Step, made: Rewritten): Step | null {
  const { merge } = step.worker;
  if (isGivenUp(merge, made)) return null;
  const rebasing = set(step, { merge: stepReview(noteRewritten(merge, made), 'rebase') });
  return note(rebasing, `${rewrittenText(made)}; its own commits are put on the new one`);
}

/** Work that was accepted: its accept is over. @returns null where the machine names another commit. */
export function acceptRewritten(step: Step, { pin }: Accept, made: Rewritten): Step | null {
  if (made.head !== pin.head) return null;
  const free = releaseLease(step, 'accept:rewritten');
  const merge = setRebaseDue(noteRewritten(setCandidate(free.worker.merge, made), made), true);
  const then = 'when its own commits are on the new one, review them again';
  return note(set(free, { merge }), `not merged: ${rewrittenText(made)}; ${then}`);
}

/** The reviewer is told once. */
function noteRewritten(merge: Merge, made: Rewritten): Merge {
  const text = `${rewrittenText(made)}, and its own commits were put on the new one`;
  return merge.notes.includes(text) ? merge : { ...merge, notes: [...merge.notes, text] };
}

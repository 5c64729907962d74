/**
 * Checks work before a person sees it, and again while it waits: the machine makes the candidate, the work on the newest default branch, and
 * the project's checks run on exactly that (docs/git.md). The worker stays busy until its work waits for review.
 */
import { becomeOrReturnTo, note, record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { sendBackGitlinks } from '../events/told-once/told-once.ts';
import type { Command, Success } from '../machine/commands.ts';
import { isToBlame } from '../machine/gitlinks.ts';
import { CHECK_OUTPUT_MAX } from '../policy/policy.ts';
import { offerText, rewrittenText } from '../policy/texts.ts';
import { showSign } from '../recovery/incident.ts';
import { waitForPerson } from '../recovery/questions.ts';
import { wantCheckpoint } from '../recovery/save.ts';
import { holdUntil } from '../worker/command.ts';
import { stateOf } from '../worker/lifecycle.ts';
import { setRestoreDue } from '../worker/mailbox.ts';
import { isBusy } from '../worker/status.ts';
import { inHand, runOf, setHeadBefore } from '../worker/task.ts';
import { setJudgeDue } from '../worker/turn.ts';
import { moveHead, standOn } from '../worker/worktree.ts';
import { checksFailed, conflicted, reviewRewritten } from '../events/rework.ts';
import {
  acceptPin,
  baseRunOf,
  beginReview,
  beginReviewAgain,
  doNext,
  dropReview,
  goTo,
  hasPassed,
  isGivenUp,
  offerOf,
  outcomeOn,
  setFacts,
} from './state.ts';
import type { Candidate, Checks, Merge } from './state.ts';
import type { Failure, Reviewing } from './step.ts';

/** Checks waiting work again, because the default branch may have moved. */
export function checkWaitingWork(step: Step): Step {
  const { lifecycle, merge, worktree, task } = step.worker;
  // A broken default branch may be mended by now.
  const at = merge.step;
  if (at.kind === 'waiting' && at.accept.red !== null)
    return set(step, { merge: goTo(merge, { ...at, notBefore: null }) });
  const isFree = at.kind === 'none' && !merge.rebaseDue;
  if (lifecycle.status !== 'needs_review' || !isFree || worktree.git === null || runOf(task) !== null) return step;
  const described = setFacts(merge, { why: merge.why || lifecycle.note, notes: merge.notes });
  return set(step, { merge: beginReview(described, worktree.git.head) });
}

/** Handles the candidate that the machine made of the work. */
export function candidateEnded(step: Step, result: Success<'candidate'>): Step {
  const review = step.worker.merge.step;
  if (review.kind !== 'reviewing') return rule(step, `not-merging:${result.kind}`);
  if (isDisturbed(step)) return set(step, { merge: dropReview(step.worker.merge) });
  if (result.kind === 'changed') return beginAgain(step, review, result);
  if (result.head !== review.head)
    return beginAgain(step, review, { head: review.head, why: 'its machine reported another commit' });
  const { kind } = result;
  const known = set(rule(step, `candidate:${kind}`), { merge: setFacts(step.worker.merge, { candidate: result }) });
  switch (kind) {
    case 'candidate':
      return checkCandidate(showSign(known, 'rebased'), result);
    case 'contained':
      return offerOf(known.worker.merge, result.head) === null
        ? waitForReview(showSign(known, 'rebased'))
        : acceptOffered(known, result.head);
    case 'clash':
      return clashed(known, result);
    case 'rewritten':
      return reviewRewritten(known, result) ?? waitForReview(rule(known, 'review:given-up'));
    default:
      return kind satisfies never;
  }
}

/** G3: checks the candidate, unless the checks passed on these very files. */
function checkCandidate(step: Step, made: Extract<Candidate, { kind: 'candidate' }>): Step {
  const { merge } = step.worker;
  const { gitlinks = [] } = made;
  if (gitlinks.some(isToBlame)) return sendBackGitlinks(step, gitlinks);
  if (hasPassed(merge, made)) return waitForReview(rule(step, 'review:checked-before'));
  // Drover asks each minute for the present candidate: a broken branch is no reason to run the checks again.
  const run = baseRunOf(merge, made);
  if (run !== null && run.failed !== null && outcomeOn(merge, made) === 'failed')
    return waitForBranch(step, { base: made.base, failed: run.failed });
  return set(step, { merge: doNext(merge, { kind: 'checks', at: { head: made.commit, tree: made.tree } }) });
}

/** G5: handles a merge, by people, of the branch that was offered. The remaining steps are those of every accept, in the project's turn. */
function acceptOffered(before: Step, head: string): Step {
  // The agent had conflicts in hand, and has ended them so that its commit is the one that people merged.
  const { merge, lifecycle } = before.worker;
  const free = stateOf(lifecycle) === 'rebasing' ? becomeOrReturnTo(before, 'needs_review', tellWork(merge)) : before;
  const step = rule(showSign(free, 'rebased'), 'review:offer-merged');
  const pin = { head, tree: null };
  return set(step, {
    merge: acceptPin(step.worker.merge, pin, { since: step.ctx.now, nothing: false, notBefore: null }),
  });
}

/** Lets the agent resolve the conflicts, unless it gave up exactly these. */
function clashed(step: Step, made: Extract<Candidate, { kind: 'clash' }>): Step {
  const { merge } = step.worker;
  if (!isGivenUp(merge, made)) return set(step, { merge: doNext(merge, { kind: 'rebase' }) });
  return waitForReview(rule(step, 'review:given-up'));
}

/** Handles the end of the project's checks. */
export function checksEnded(step: Step, { at }: Command<'validate'>, result: Success<'validate'>): Step {
  if (result.kind === 'changed') {
    const at = step.worker.merge.step;
    return at.kind === 'reviewing' ? beginAgain(step, at, result) : rule(step, 'not-merging:changed');
  }
  // A run on the default branch alone names no tree.
  if (at.tree === null) return aloneEnded(step, at, result);
  const isNamed = result.kind === 'invalid' || (result.head === at.head && result.tree === at.tree);
  const known = isNamed ? keepChecks(step, result) : step;
  const review = known.worker.merge.step;
  if (review.kind !== 'reviewing') return rule(known, `not-merging:${result.kind}`);
  if (isDisturbed(known)) return set(known, { merge: dropReview(known.worker.merge) });
  if (!isNamed) return beginAgain(known, review, { head: review.head, why: 'its machine reported another commit' });
  if (result.kind === 'valid') return waitForReview(showSign(rule(known, 'review:valid'), 'valid'));
  return blame(known, result);
}

/** G12: blames no work for a check that fails without it, once the default branch has moved to where the work does not stand. */
function blame(step: Step, failed: Failure): Step {
  const { merge, worktree, lifecycle } = step.worker;
  const { candidate } = merge;
  if (candidate?.kind !== 'candidate') return sendToAgent(step, failed);
  const { base } = candidate;
  // A worker that began on this base may have it for a task, and has run the checks beside files that only its worktree holds: such a run says
  // nothing of another place.
  const beganThere = worktree.place.kind === 'ready' && worktree.place.base === base;
  if (beganThere && stateOf(lifecycle) !== 'needs_review') return sendToAgent(step, failed);
  const run = baseRunOf(merge, candidate);
  if (run === null) {
    const { command, output } = failed;
    const alone = { kind: 'base', base, checks: candidate.checks, failed: { command, output } } as const;
    return set(rule(step, 'review:alone'), { merge: doNext(merge, alone) });
  }
  return run.failed === null ? sendToAgent(step, failed) : waitForBranch(step, { base, failed: run.failed });
}

/** Handles the end of the checks on the default branch alone. */
function aloneEnded(
  step: Step,
  { head }: Command<'validate'>['at'],
  result: Exclude<Success<'validate'>, { kind: 'changed' }>,
): Step {
  const { merge } = step.worker;
  const review = merge.step;
  if (review.kind !== 'reviewing' || review.doing.kind !== 'base') return rule(step, `not-merging:${result.kind}`);
  if (isDisturbed(step)) return set(step, { merge: dropReview(merge) });
  const { base, checks, failed } = review.doing;
  const isNamed = head === base && (result.kind === 'invalid' || result.head === head);
  if (!isNamed) return beginAgain(step, review, { head: review.head, why: 'its machine reported another commit' });
  if (result.kind === 'valid')
    return sendToAgent(
      set(step, { merge: setFacts(merge, { baseRun: { base, checks: result.checks, failed: null } }) }),
      failed,
    );
  const known = set(step, { merge: setFacts(merge, { baseRun: { base, checks, failed: result.command } }) });
  return waitForBranch(known, { base, failed: result.command });
}

/** Waits until the branch moves, or a person has the work checked again: no work is to blame. */
function waitForBranch(step: Step, { base, failed }: { readonly base: string; readonly failed: string }): Step {
  const why = `the default branch at ${base.slice(0, 12)} fails the check "${failed}" by itself: repair it there, and Drover checks the work again; if the check itself was wrong, "drover rebase" runs it again`;
  return waitForReview(rule(step, 'review:base-red'), why);
}

function sendToAgent(step: Step, failed: Failure): Step {
  return checksFailed(set(rule(step, 'review:invalid'), { merge: dropReview(step.worker.merge) }), failed);
}

/** Keeps the outcome of the checks on the known candidate, for the person who reviews it. */
export function keepChecks(step: Step, result: Exclude<Success<'validate'>, { kind: 'changed' }>): Step {
  const { merge } = step.worker;
  const { candidate } = merge;
  if (candidate?.kind !== 'candidate') return step;
  const { commit: head, tree, checks } = candidate;
  const outcome: Checks['outcome'] =
    result.kind === 'valid'
      ? { kind: 'passed' }
      : { kind: 'failed', command: result.command, output: result.output.slice(-CHECK_OUTPUT_MAX) };
  const named = result.kind === 'valid' ? result : { head, tree, checks };
  return set(step, {
    merge: setFacts(merge, {
      checks: {
        head: named.head,
        tree: named.tree,
        checks: named.checks,
        at: step.ctx.now,
        outcome,
      },
    }),
  });
}

/** Handles the end of the rebase in the worktree, which comes before a text, at a person's word, or for conflicts. */
export function rebaseEnded(step: Step, result: Success<'rebase'>): Step {
  const { merge, lifecycle } = step.worker;
  const review = merge.step;
  switch (result.kind) {
    case 'conflict':
      return conflicted(step, result);
    case 'changed': {
      const undue = set(step, { merge: setFacts(merge, { rebaseDue: false }) });
      return review.kind === 'reviewing' ? beginAgain(undue, review, result) : rule(undue, 'not-merging:changed');
    }
    case 'rebased': {
      const moved = rebased(step, result);
      if (review.kind === 'reviewing') return beginAgain(moved, review, { head: result.head, why: 'it was rebased' });
      return lifecycle.status === 'needs_review' ? checkWaitingWork(moved) : moved;
    }
    default:
      return result satisfies never;
  }
}

/** Gives the rebased work its new name. Commits that were no new work before are none under the new name. */
function rebased(step: Step, { base, from, head, moved }: Extract<Success<'rebase'>, { kind: 'rebased' }>): Step {
  const { worktree, merge, task } = step.worker;
  const isKnown = inHand(task)?.headBefore === from;
  return set(rule(step, moved ? 'rebased' : 'rebase-not-needed'), {
    worktree: standOn(moveHead(worktree, head), base),
    merge: setFacts(merge, { rebaseDue: false }),
    task: isKnown ? setHeadBefore(task, head) : task,
  });
}

/** Tells whether the agent is at work again, or a person is asked: the worktree may differ from the commit to check. The turn's end is judged. */
function isDisturbed({ worker: { lifecycle, turn } }: Step): boolean {
  const state = stateOf(lifecycle);
  return state !== 'needs_review' && (!isBusy(state) || turn.phase.kind !== 'none');
}

/** R2: checks again, after a pause and a limited number of times, because another commit is there. */
function beginAgain(
  step: Step,
  review: Reviewing,
  { head, why }: { readonly head: string; readonly why: string },
): Step {
  const { merge, command, turn, worktree, lifecycle } = step.worker;
  const { now, policy } = step.ctx;
  const isWaiting = stateOf(lifecycle) === 'needs_review';
  if (review.again + 1 >= policy.reviewTriesMax) {
    const stopped = set(rule(step, 'review:stopped'), {
      merge: dropReview(merge),
      worktree: moveHead(worktree, head),
    });
    const words = `Drover could not check its work: ${why}`;
    return isWaiting || lifecycle.status === 'offline' ? note(stopped, words) : waitForPerson(stopped, words, null);
  }
  return set(rule(step, 'review:again'), {
    merge: beginReviewAgain(merge, review, head),
    worktree: moveHead(worktree, head),
    // Git is asked for the present commit; for work that waits, the present commit is the one that waits.
    turn: isWaiting ? turn : setJudgeDue(turn, true),
    command: holdUntil(command, now + policy.command.retry.waitMs),
  });
}

/** Ends the checks, as far as they were possible: now it is a person's turn. `more`: obstacles beside the work itself. */
function waitForReview(before: Step, more = ''): Step {
  const { merge, lifecycle, task, worktree } = before.worker;
  const offer = offerOf(merge, worktree.git?.head ?? null);
  const words = offer === null ? tellWork(merge) : offerText(offer);
  const why = more === '' ? words : `${words}; ${more}`;
  const step = note(set(before, { merge: dropReview(merge) }), why);
  if (stateOf(lifecycle) === 'needs_review') return step;
  const waiting = note(becomeOrReturnTo(rule(step, 'review:waits'), 'needs_review', why), why);
  const free = set(waiting, { mailbox: setRestoreDue(waiting.worker.mailbox, false) });
  const told = record(wantCheckpoint(free, 'stage_complete', why), { kind: 'notice', text: why });
  const given = inHand(task);
  return given === null ? told : record(told, { kind: 'task', id: given.id, status: 'review' });
}

/** Words the work, and the obstacles to its merge. */
function tellWork({ why, candidate }: Merge): string {
  if (candidate?.kind === 'contained')
    return `${why}; the default branch already contains all of it: there is nothing to merge`;
  if (candidate?.kind === 'rewritten')
    return `${why}; ${rewrittenText(candidate)}, and its agent gave up the conflicts`;
  if (candidate?.kind !== 'clash') return why;
  return `${why}; it conflicts with the default branch in ${candidate.files.length} file(s), and its agent gave them up`;
}

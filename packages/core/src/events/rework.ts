/**
 * Passes work from its agent and back to it: committed work is to be checked; conflicts and failed checks are the agent's to repair, within a
 * budget, and then a person's (docs/recovery.md, merge). Git judges how conflicts were ended, all of it, and never the agent's words
 * (docs/adr/0017-git-judges-a-conflict.md).
 */
import { become, becomeOrReturnTo, note, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { Success } from '../machine/commands.ts';
import { conflictText, rewrittenText, validationText } from '../policy/texts.ts';
import { onlyLog, openIncident, showSign } from '../recovery/incident.ts';
import type { Failure } from '../recovery/incident.ts';
import { giveUp, recover } from '../recovery/ladder.ts';
import { sendText } from '../recovery/mail.ts';
import { mayRetry } from '../recovery/plans.ts';
import { duration } from '../taxonomy/wording.ts';
import { giveBack, stateOf } from '../worker/lifecycle.ts';
import { newText, setRestoreDue } from '../worker/mailbox.ts';
import { wantFreshContext } from '../worker/session.ts';
import { isBusy } from '../worker/status.ts';
import type { WorkerStatus } from '../worker/status.ts';
import { inHand, setHeadBefore } from '../worker/task.ts';
import { endTurn } from '../worker/turn.ts';
import { releaseLease } from '../merge/commands.ts';
import {
  beginReview,
  closeConflicts,
  countConflicts,
  doNext,
  dropReview,
  giveUpRebase,
  isGivenUp,
  markTold,
  setFacts,
  timesOfConflict,
  timesTold,
} from '../merge/state.ts';
import type { Candidate, Merge } from '../merge/state.ts';
import type { Accept } from '../merge/step.ts';

/** Committed work, before it is checked. */
export interface Committed {
  readonly head: string;
  /** The worker's note once the work waits for review. */
  readonly why: string;
  /** Notes for the reviewer beside the diff. */
  readonly notes?: readonly string[];
}

/** Checks the work that a turn has left; the work then waits for review. */
export function checkWork(before: Step, { head, why, notes = [] }: Committed): Step {
  const { status } = before.worker.lifecycle;
  const words = `${why}; Drover checks it before it waits for review`;
  const step = isBusy(status) ? note(before, words) : become(before, 'working', words);
  const { merge, turn, mailbox, lifecycle } = step.worker;
  return set(rule(step, 'review'), {
    turn: endTurn(turn),
    merge: setFacts(beginReview(merge, head), { why, notes }),
    // The agent has done what it was given.
    mailbox: setRestoreDue(mailbox, false),
    lifecycle: giveBack(lifecycle),
  });
}

type Judged = Success<'resolution'>;

/** Asks git about the conflicts once the turn over them has ended. */
export function askHowResolved(step: Step): Step {
  const { merge, turn } = step.worker;
  return set(rule(step, 'rebase-stopped'), { turn: endTurn(turn), merge: setFacts(merge, { resolutionDue: true }) });
}

/** Takes git's verdict on the conflicts. */
export function resolutionJudged(before: Step, result: Judged): Step {
  const { lifecycle, merge, turn } = before.worker;
  const step = set(before, { merge: setFacts(merge, { resolutionDue: false }) });
  // A person ended the task or was asked, or the agent works on it again: the end of that is judged then.
  const isAwaited = merge.resolutionDue && isAtWork(lifecycle.status) && turn.phase.kind === 'none';
  if (!isAwaited) return rule(step, 'not-merging:judged');
  const { verdict } = result;
  switch (verdict) {
    case 'in-progress':
      return sendBack(rule(step, 'rebase-stuck'), result, 'REBASE_STUCK');
    case 'elsewhere':
    case 'emptied':
    case 'markers':
      return sendBack(rule(step, `resolution:${verdict}`), result, 'REBASE_UNRESOLVED');
    case 'lost-own':
    case 'undone-others':
      return lostWork(rule(step, `resolution:${verdict}`), result);
    case 'aborted':
      return aborted(rule(step, 'rebase-aborted'), result);
    case 'contained':
      return checkResolved(rule(step, 'resolution:contained'), result);
    case 'resolved':
      return checkResolved(rule(step, 'rebase-over'), result);
    default:
      return verdict satisfies never;
  }
}

/** Tells whether the worker is at work, also if its agent asked something meanwhile. */
function isAtWork(status: WorkerStatus): boolean {
  return isBusy(status) || status === 'needs_input';
}

/** Tells the agent the fault while its budget for this lasts; then asks a person. */
function sendBack(before: Step, { verdict, why, prompt }: Judged, code: Failure['code']): Step {
  // A person who took over sees the fault.
  if (before.worker.lifecycle.takenOver) return note(before, why);
  const step = become(before, 'rebasing', why);
  const failure = { code, why } as const;
  const spent = timesTold(step.worker.merge, verdict);
  if (!mayRetry(code, { spent, policy: step.ctx.policy })) return giveUp(step, failure);
  return recover(step, failure, {
    counts: 'caller',
    attempt: { action: 'tell its agent what is wrong' },
    act: (counted) =>
      sendText(
        note(set(counted, { merge: markTold(counted.worker.merge, verdict) }), why),
        newText(step.ctx.fresh, 'conflict', prompt),
      ),
  });
}

/** Handles work that lost changes. The agent may have been right: if it keeps to its result after one notice, the reviewer is told. */
function lostWork(step: Step, result: Judged): Step {
  const { why, verdict } = result;
  const code = 'REBASE_LOST_WORK';
  const spent = timesTold(step.worker.merge, verdict);
  if (mayRetry(code, { spent, policy: step.ctx.policy })) return sendBack(step, result, code);
  return onlyLog(checkResolved(step, result), { code, why: `its agent ${why}` });
}

/** Asks for nothing more until the work or the default branch moves, or a person asks. */
function aborted(step: Step, result: Judged): Step {
  const given = set(step, { merge: giveUpRebase(step.worker.merge) });
  return onlyLog(checkResolved(given, result), { code: 'REBASE_ABORTED', why: `its agent ${result.why}` });
}

function checkResolved(step: Step, { head, why, notes }: Judged): Step {
  const over = set(showSign(step, 'turn-over'), { merge: closeConflicts(step.worker.merge) });
  return checkWork(over, { head, why: `its agent ${why}`, notes });
}

/**
 * Work whose base the default branch no longer holds: a merge would bring that back (docs/adr/0016-merges-are-candidates.md).
 * The commits of the work alone are put on the new default branch, and are checked and reviewed there.
 */
type Rewritten = Extract<Candidate, { kind: 'rewritten' }>;

/** Reviews rewritten work that is checked, or waits. @returns null if its agent gave up exactly these conflicts. */
export function reviewRewritten(step: Step, made: Rewritten): Step | null {
  const { merge } = step.worker;
  if (isGivenUp(merge, made)) return null;
  const rebasing = set(step, { merge: doNext(noteRewritten(merge, made), { kind: 'rebase' }) });
  return note(rebasing, `${rewrittenText(made)}; Drover rebases its own commits onto the new one`);
}

/** Ends the accept of rewritten work. @returns null if the machine names another commit. */
export function acceptRewritten(step: Step, { pin }: Accept, made: Rewritten): Step | null {
  if (made.head !== pin.head) return null;
  const free = releaseLease(step, 'accept:rewritten');
  const merge = setFacts(noteRewritten(setFacts(free.worker.merge, { candidate: made }), made), { rebaseDue: true });
  const then = 'review its commits again after the rebase';
  return note(set(free, { merge }), `not merged: ${rewrittenText(made)}; ${then}`);
}

/** Tells the reviewer once. */
function noteRewritten(merge: Merge, made: Rewritten): Merge {
  const text = `${rewrittenText(made)}, and Drover rebased its own commits onto the new one`;
  return merge.notes.includes(text) ? merge : { ...merge, notes: [...merge.notes, text] };
}

/** Handles a rebase that left conflicts: the agent resolves them, git judges. If the same conflicts come over and over, a person decides. */
export function conflicted(
  step: Step,
  { files, prompt, orig, onto, beyond }: Extract<Success<'rebase'>, { kind: 'conflict' }>,
): Step {
  const { worker, ctx } = step;
  const why = `conflicts with the default branch in ${files.length} file(s)`;
  const key = files.join('\n');
  const times = timesOfConflict(worker.merge, key);
  const found = { key, orig, onto, ...(beyond !== undefined && { beyond }) };
  const known = note(set(rule(step, 'conflict'), { merge: countConflicts(worker.merge, found) }), why);
  const state = stateOf(worker.lifecycle);
  // A person ended the task, was asked, or took over during the rebase: they see the conflicts there.
  if (state === 'error' || state === 'idle' || worker.lifecycle.takenOver) return known;
  const rebasing = becomeOrReturnTo(known, 'rebasing', why);
  if (!mayRetry('REBASE_CONFLICT', { spent: times - 1, policy: ctx.policy }))
    return giveUp(rebasing, {
      code: 'REBASE_CONFLICT_LOOP',
      why: `the same conflicts came up ${times} times: ${files.join(', ')}`,
    });
  return recover(
    rebasing,
    { code: 'REBASE_CONFLICT', why, details: files.join('\n') },
    {
      counts: 'caller',
      attempt: { action: 'give the conflicts to its agent' },
      act: (counted) => {
        const { session, task } = counted.worker;
        const text = conflictText(prompt, inHand(task)?.text ?? null);
        return sendText(set(counted, { session: wantFreshContext(session) }), newText(ctx.fresh, 'conflict', text));
      },
    },
  );
}

/** Asks a person about a rebase that was helped, and is still without progress for `rework.stuckMs`. The agent is left as it is. */
export function rebaseStuck(step: Step): Step {
  const since = duration(step.ctx.now - step.worker.turn.progress.at);
  return giveUp(rule(step, 'rebase-stuck'), {
    code: 'REBASE_STUCK',
    why: `no progress with its conflicts for ${since} after help`,
  });
}

/**
 * Asks a person at once about checks that did not run, which is no fault of the work; no attempt is counted. Work that a person may see
 * already waits on.
 */
export function checksCannotRun(before: Step, why: string): Step {
  const { lifecycle, merge } = before.worker;
  const step = note(set(rule(before, 'review:checks-cannot-run'), { merge: dropReview(merge) }), why);
  if (isBusy(stateOf(lifecycle))) return giveUp(step, { code: 'VALIDATION_FAILED', why, details: why });
  return onlyLog(step, { code: 'VALIDATION_FAILED', why, details: why });
}

/** Lets the agent repair failed checks, within the budget of an incident. */
export function checksFailed(
  before: Step,
  { command, output }: { readonly command: string; readonly output: string },
): Step {
  const { lifecycle, incident, mailbox } = before.worker;
  const state = stateOf(lifecycle);
  if (!isBusy(state) && state !== 'needs_review') return before;
  // The agent has to repair its own output, so another attempt comes before anything else.
  const spent = incident.open?.code === 'VALIDATION_FAILED' ? incident.open.attempts : 0;
  const why = `the check "${command}" failed`;
  const failure = { code: 'VALIDATION_FAILED', why, details: output } as const;
  // The worker is at work again on every way from here: nobody can accept it meanwhile, and only a new commit counts.
  const working = note(becomeOrReturnTo(openIncident(before, failure), 'working', why), why);
  const { task, worktree } = working.worker;
  const headBefore = worktree.git?.head ?? (task.kind === 'none' ? null : task.headBefore);
  const step = set(working, { task: setHeadBefore(task, headBefore), mailbox: setRestoreDue(mailbox, false) });
  if (!mayRetry('VALIDATION_FAILED', { spent, policy: step.ctx.policy })) return recover(step, failure, null);
  return recover(step, failure, {
    counts: 'caller',
    attempt: { action: 'give the output to its agent' },
    act: (counted) => sendText(counted, newText(before.ctx.fresh, 'validation', validationText(command, output))),
  });
}

/** Ends the merge of accepted work: its worker is free, or nothing of it was merged, or later commits are reviewed. */
import { become, happen, note, record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { Success } from '../machine/commands.ts';
import { showSign } from '../recovery/incident.ts';
import { tellUnread, unreadTexts } from '../recovery/told.ts';
import { forgetCheckpoints } from '../worker/checkpoint.ts';
import { comeBackTo } from '../worker/lifecycle.ts';
import { forgetCrashes, keepProgram, setConversation } from '../worker/session.ts';
import { inHand } from '../worker/task.ts';
import { moveHead, setGit, standOn } from '../worker/worktree.ts';
import { releaseLease } from './lease.ts';
import { beginReview, changeAccept, describeWork } from './state.ts';
import type { Accepting, Done, MergeStep } from './step.ts';

type Changed = Extract<Success, { kind: 'changed' }>;

/** Frees the worker, with a fresh worktree and a fresh agent in it. */
export function recycled(step: Step, done: Done, base: string): Step {
  const task = inHand(step.worker.task);
  const how = done.how === 'nothing' ? 'there was nothing to merge' : 'its work was merged';
  const told = tellUnread(step, unreadTexts(step.worker), `${how}, perhaps before its agent had read`);
  const over = showSign(comeToRest(releaseLease(told, 'accept:done'), how), 'task-done');
  const ended = happen(over, 'task-ended');
  const { session, checkpoint, worktree } = ended.worker;
  const free = set(ended, {
    checkpoint: forgetCheckpoints(checkpoint),
    worktree: standOn(setGit(worktree, null), base),
    session: forgetCrashes(keepProgram(setConversation(session, null))),
  });
  return task === null ? free : record(free, { kind: 'task', id: task.id, status: 'accepted' });
}

function comeToRest(done: Step, how: string): Step {
  const { lifecycle } = done.worker;
  if (lifecycle.status === 'offline') return set(done, { lifecycle: comeBackTo(lifecycle, 'idle') });
  if (lifecycle.wanted !== 'down') return become(done, 'idle', how);
  const down = become(done, 'offline', `${how}, then taken down by request`);
  return set(down, { lifecycle: comeBackTo(down.worker.lifecycle, 'idle') });
}

/** Ends the accept; the work still waits for review. Commits that reached the default branch by then stay there; only the worker is not free. */
export function stopMerge(step: Step, why: string): Step {
  const at = step.worker.merge.step;
  const done = at.kind === 'closing' || at.kind === 'recycling' ? at.done : null;
  if (done === null || done.how === 'nothing') return endMerge(step, `not merged: ${why}`);
  const then = 'put that right, and "drover accept --nothing" ends its task';
  return endMerge(step, `merged as ${short(done.commit)}, but ${why}: ${then}`);
}

/**
 * Ends a merge of which a step failed for good. Commits that were published, or on their way, may have arrived all the same: the next accept
 * finds out.
 */
export function mergeFailed(step: Step, why: string): Step {
  const { merge } = step.worker;
  const maybe = underWay(merge.step);
  if (maybe === null) return stopMerge(step, why);
  const known = set(step, { merge: changeAccept(merge, () => ({ maybe })) });
  return endMerge(known, `perhaps merged: ${why}; "drover accept" finds out, and merges it if it was not`);
}

/** Returns the commit that is published, or on its way there; null: none is. */
function underWay(at: MergeStep): string | null {
  if (at.kind === 'publishing') return at.own.commit;
  return at.kind === 'proving' ? at.commit : null;
}

function endMerge(step: Step, text: string): Step {
  return record(note(releaseLease(step, 'accept:stopped'), text), { kind: 'notice', text });
}

/** Stops the merge at a machine that errs: nothing says that its commit is the reviewed one. */
export function stopUnnamed(step: Step, { accept, kind }: Accepting): Step {
  const named = `its machine did not say that "${kind}" was done to ${short(accept.pin.head)}`;
  return stopMerge(rule(step, 'accept:unnamed'), `${named}: see that Drover there is not older than its coordinator`);
}

/** Stops the merge at a result that belongs to another step. */
export function stopMisplaced(step: Step, { kind }: Accepting, result: Success): Step {
  return stopMerge(step, `its machine answered "${result.kind}" to step "${kind}"`);
}

/** Stops the merge of work that changed after its review, and has it checked for the next one. */
export function stopChanged(step: Step, { head, why }: Changed): Step {
  return describedByNote(reviewAgain(stopMerge(rule(step, 'accept:changed'), why), head));
}

/** Ends a merge after which new work appeared. */
export function endChanged(step: Step, { commit, how }: Done, { head, why }: Changed): Step {
  const merged = how === 'nothing' ? 'nothing was left to merge' : `merged as ${short(commit)}`;
  const over = endMerge(rule(step, 'accept:changed'), `${merged}, but ${why}`);
  const standing = reviewAgain(over, head);
  return describedByNote(set(standing, { worktree: standOn(standing.worker.worktree, commit) }));
}

function reviewAgain(step: Step, head: string): Step {
  const { worktree, merge } = step.worker;
  return set(step, { worktree: moveHead(worktree, head), merge: beginReview(merge, head) });
}

/** Keeps the note until the present commit has been checked: otherwise it would change before the person has read why nothing was merged. */
function describedByNote(step: Step): Step {
  const { merge, lifecycle } = step.worker;
  return set(step, { merge: describeWork(merge, { why: lifecycle.note, notes: merge.notes }) });
}

/** Shortens a commit for people. */
export function short(commit: string): string {
  return commit.slice(0, 12);
}

/**
 * How accepted work is merged. One step after the other, each a command that is safe to repeat, each result
 * recorded in the row, so that any coordinator can go on after a crash.
 *
 * What is merged is what was reviewed (docs/adr/0078-what-was-reviewed.md): each command names the commit and the tree that it
 * acts on, each result those that it has left, and only a result for the former makes the latter the next to be acted on.
 */
import { become, happen, note, record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { Success } from '../machine/commands.ts';
import { showSign } from '../recovery/incident.ts';
import { leaveSession } from '../recovery/session-lost.ts';
import { tellUnread, unreadTexts } from '../recovery/told.ts';
import { forgetCheckpoints } from '../worker/checkpoint.ts';
import { countFailures } from '../worker/command.ts';
import { comeBackTo } from '../worker/lifecycle.ts';
import { endAccept, goTo } from '../worker/merge.ts';
import type { Accept } from '../worker/merge.ts';
import { forgetCrashes, keepProgram, restartIfLeft, setConversation } from '../worker/session.ts';
import { inHand } from '../worker/task.ts';
import { setJudgeDue } from '../worker/turn.ts';
import { moveHead, setGit, standOn } from '../worker/worktree.ts';
import { checksFailed, conflicted } from './conflicts.ts';

type Ended<K extends Success['kind']> = Extract<Success, { kind: K }>;

/** What the result of a step leads to. A result that does not belong to the step ends the accept. */
export function mergeStepEnded(step: Step, accept: Accept, result: Success): Step {
  switch (result.kind) {
    case 'rebased':
      return rebasedForMerge(step, accept, result);
    case 'conflict':
      return conflicted(releaseLease(step, 'accept:conflict'), result);
    case 'valid':
      if (result.head !== accept.pin.head || result.tree !== accept.pin.tree) return stopUnnamed(step, accept);
      return nextStep(showSign(step, 'valid'), accept, { step: 'squash' });
    case 'invalid':
      return checksFailed(releaseLease(step, 'accept:invalid'), result);
    case 'squashed':
      return squashed(step, accept, result);
    case 'changed':
      return changed(step, accept, result);
    case 'nothing-to-merge':
      return nextStep(step, accept, { step: 'close', commit: accept.base });
    case 'merged':
      return result.commit === accept.commit ? merged(step, accept, result.commit) : stopUnnamed(step, accept);
    case 'moved':
      return nextStep(rule(step, 'accept:default-branch-moved'), accept, { step: 'rebase' });
    case 'blocked':
      return stopMerge(step, result.why);
    case 'closed':
      return nextStep(leaveSession(step), accept, { step: 'recycle' });
    case 'recycled':
      return recycled(step, result.base);
    default:
      return stopMerge(step, `its machine answered "${result.kind}" to step "${accept.step}"`);
  }
}

function rebasedForMerge(step: Step, accept: Accept, result: Ended<'rebased'>): Step {
  if (result.from !== accept.pin.head) return stopUnnamed(step, accept);
  const known = showSign(step, 'rebased');
  const moved = set(known, { worktree: moveHead(standOn(known.worker.worktree, result.base), result.head) });
  if (result.unseen !== null) return stopMerge(moved, result.unseen);
  return nextStep(moved, accept, {
    step: 'validate',
    base: result.base,
    pin: { head: result.head, tree: result.tree },
  });
}

function squashed(step: Step, accept: Accept, { commit, tree, expected }: Ended<'squashed'>): Step {
  if (tree !== accept.pin.tree) return stopUnnamed(step, accept);
  const moved = set(step, { worktree: moveHead(step.worker.worktree, commit) });
  return nextStep(moved, accept, { step: 'fast-forward', pin: { head: commit, tree }, commit, expected });
}

/** What is there is not what was reviewed. Nothing of it is merged, unless it came after the merge. */
function changed(step: Step, accept: Accept, { head, why }: Ended<'changed'>): Step {
  const { worktree, turn } = step.worker;
  // Git is asked what it is now.
  const known = set(rule(step, 'accept:changed'), {
    worktree: moveHead(worktree, head),
    turn: setJudgeDue(turn, true),
  });
  if (accept.step !== 'recycle') return stopMerge(known, why);
  const base = accept.commit ?? '';
  const standing = set(known, { worktree: standOn(known.worker.worktree, base) });
  return endMerge(standing, `merged as ${base.slice(0, 12)}, but ${why}`);
}

/** A machine of an older build, or one that errs: nothing says that this is what was reviewed. */
function stopUnnamed(step: Step, { pin, step: at }: Accept): Step {
  const named = `its machine did not say that "${at}" was done to ${pin.head.slice(0, 12)}`;
  return stopMerge(rule(step, 'accept:unnamed'), `${named}: see that Drover there is not older than its coordinator`);
}

/** The accept ends without a merge; the work still waits for review. */
export function stopMerge(step: Step, why: string): Step {
  return endMerge(step, `not merged: ${why}`);
}

function endMerge(step: Step, text: string): Step {
  return record(note(releaseLease(step, 'accept:stopped'), text), { kind: 'notice', text });
}

function merged(step: Step, accept: Accept, commit: string): Step {
  const next = nextStep(rule(step, 'accept:merged'), accept, { step: 'close', commit });
  return record(next, { kind: 'default-branch-moved', commit });
}

/** The worktree is fresh: the worker is free, with a fresh agent in it. */
function recycled(step: Step, base: string): Step {
  const { merge, task: before } = step.worker;
  const task = inHand(before);
  const how = merge.accept?.commit === merge.accept?.base ? 'there was nothing to merge' : 'its work was merged';
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
  const down = become(done, 'offline', `${how}, then taken down by order`);
  return set(down, { lifecycle: comeBackTo(down.worker.lifecycle, 'idle') });
}

function releaseLease(step: Step, name: `accept:${'conflict' | 'invalid' | 'stopped' | 'done'}`): Step {
  const { merge, command, session } = step.worker;
  const released = set(rule(step, name), {
    merge: endAccept(merge),
    command: countFailures(command, 0),
    session: restartIfLeft(session, step.ctx.now),
  });
  return record(released, { kind: 'lease', action: 'release' });
}

function nextStep(step: Step, accept: Accept, change: Partial<Accept>): Step {
  return set(step, { merge: goTo(step.worker.merge, accept, change) });
}

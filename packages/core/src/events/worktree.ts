/**
 * Prepares and sets up a worktree; makes a lost one again, and restores the work from the last checkpoint; commits are on the branch anyway
 * (docs/recovery.md, checkpoints).
 */
import { happen, record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { takeSetUp, takeSupplies } from '../decision/supplies.ts';
import type { Success } from '../machine/commands.ts';
import { onlyLog } from '../recovery/incident.ts';
import { recover } from '../recovery/ladder.ts';
import { askAboutTools } from '../recovery/questions.ts';
import { beginRestore } from '../worker/checkpoint.ts';
import type { LastCheckpoint } from '../worker/checkpoint.ts';
import { isAtTask } from '../worker/lifecycle.ts';
import { setRestoreDue } from '../worker/mailbox.ts';
import { isMerging } from '../merge/state.ts';
import { inHand, setHeadBefore } from '../worker/task.ts';
import { endSetUp, setResetDue, standOn } from '../worker/worktree.ts';
import { mergeFailed } from '../merge/commands.ts';

/** Handles a check that found no worktree. The agent's work there is lost: the agent is started again with its conversation. */
export function worktreeLost(step: Step): Step {
  const { merge, worktree, checkpoint, task, lifecycle, incident } = step.worker;
  // A merge that waits for its lease needs no worktree yet, and a merge that has begun cannot go on.
  if (isMerging(merge)) return makeAgain(mergeFailed(rule(step, 'worktree-lost'), 'its worktree is gone'));
  if (lifecycle.wanted !== 'up' || worktree.place.kind === 'none' || checkpoint.restore !== null) return step;
  const from = task.kind === 'none' ? null : checkpoint.last;
  const action =
    from === null
      ? 'make the worktree again'
      : `make the worktree again, with the work of checkpoint ${from.id.slice(-8)}`;
  const failure = { code: 'GIT_WORKTREE_FAILED', why: 'its worktree is gone' } as const;
  const lost = rule(step, 'worktree-lost');
  const act = (known: Step): Step => (from === null ? makeAgain(known) : bringBack(known, from));
  // A person is asked already, and has the worktree to look at.
  if (incident.open?.escalated === true) return act(onlyLog(lost, failure));
  return recover(lost, failure, { counts: 'caller', attempt: { action, strategy: 'rollback' }, act });
}

function bringBack(step: Step, { id, commit }: LastCheckpoint): Step {
  const begun = happen(step, 'restore-begun');
  const { session, checkpoint } = begun.worker;
  const conversation = session.conversation?.used === true ? session.conversation.id : null;
  return set(begun, { checkpoint: beginRestore(checkpoint, { id, commit, conversation, prompt: null }) });
}

function makeAgain(step: Step): Step {
  const lost = happen(step, 'worktree-lost');
  const { mailbox, task, lifecycle } = lost.worker;
  const restoreDue = inHand(task)?.taken === true && isAtTask(lifecycle);
  return set(lost, { mailbox: setRestoreDue(mailbox, restoreDue) });
}

/** Handles a prepared place, ready for a task as far as git goes. */
export function prepared(step: Step, { base, head, saved, supplies, setUp }: Success<'prepare'>): Step {
  const { worktree, task } = step.worker;
  const isUntaken = task.kind === 'in-hand' && !task.taken;
  const ready = set(rule(step, 'prepared'), {
    worktree: setResetDue(standOn(worktree, base), false),
    // A worktree that is made again in the midst of a task has the task's commits already.
    task: isUntaken ? setHeadBefore(task, head) : task,
  });
  const supplied = askAboutTools(takeSupplies(takeSetUp(ready, setUp), supplies));
  if (saved === null) return supplied;
  return record(supplied, { kind: 'notice', text: `uncommitted work was saved as ${saved}` });
}

/** Handles a place in which the commands of the project have run. */
export function placeSetUp(step: Step, { said }: Success<'set-up'>): Step {
  const done = set(rule(step, 'set-up'), { worktree: endSetUp(step.worker.worktree, 'done') });
  return record(done, { kind: 'notice', text: `its worktree was set up: ${said}` });
}

/** Requests to have a session, to have none, and to be removed. Each is granted, or refused with what to do instead. */
import { note, refuse, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { endRestore } from '../worker/checkpoint.ts';
import type { WorkerEvent } from '../worker/event.ts';
import { isLeaving, want } from '../worker/lifecycle.ts';
import { endAccept, isMerging } from '../merge/state.ts';
import { isBusy } from '../worker/status.ts';
import { inHand } from '../worker/task.ts';
import type { TaskInHand } from '../worker/task.ts';
import { MERGING } from './way-out.ts';

/** Wants a session for the worker. Refused for one that is being removed; asking twice is asking once. */
export function bringUp(step: Step): Step {
  return wantPresence(step, 'up');
}

/** Wants the session closed; worktree, branch and task stay. Refused for a worker that is being removed. */
export function takeDown(step: Step): Step {
  return wantPresence(step, 'down');
}

function wantPresence(step: Step, wanted: 'up' | 'down'): Step {
  const { lifecycle } = step.worker;
  if (isLeaving(lifecycle)) return refuse(step, 'leaving', 'The worker is being removed');
  return set(rule(step, wanted), { lifecycle: want(lifecycle, wanted) });
}

type Removal = Extract<WorkerEvent, { kind: 'nuke-requested' }>;

/**
 * Removes the worker; without force only one without unmerged work. The machine checks again before it removes anything. A person decides
 * about a task in hand.
 */
export function removeWorker(step: Step, { force, task: said }: Removal): Step {
  const { lifecycle, worktree, merge, checkpoint } = step.worker;
  const { status } = lifecycle;
  if (isMerging(merge)) return refuse(step, 'accepting', MERGING);
  const hasWork = isBusy(status) || status === 'needs_review' || (worktree.git?.ahead ?? 0) > 0;
  if (!force && hasWork) {
    const work = isBusy(status) ? 'it is at work' : 'it has work that is not merged';
    return refuse(
      step,
      'unmerged',
      `Not removed: ${work}. Accept it first, or repeat with --force (Drover keeps its work for 14 days)`,
    );
  }
  const task = inHand(step.worker.task);
  const unfinished = said ?? lifecycle.unfinished;
  if (task !== null && unfinished === null)
    return refuse(step, 'task-unfinished', `Not removed: its task "${titleOf(task)}" is not finished. ${TASK_CHOICES}`);
  const leaving = set(rule(step, 'nuke'), {
    lifecycle: want(lifecycle, force ? 'gone-by-force' : 'gone', task === null ? null : unfinished),
    merge: endAccept(merge),
    checkpoint: endRestore(checkpoint),
  });
  // Replaces the reason why the worker was not removed before.
  return note(leaving, 'is being removed');
}

const TASK_CHOICES =
  'Repeat with --task requeue (its prompt goes back to the work queue, for another worker) or --task drop (it ends without a result)';
const TITLE_CHARS_MAX = 80;

function titleOf({ prompt }: TaskInHand): string {
  const [first = ''] = prompt.trim().split('\n', 1);
  return first.length <= TITLE_CHARS_MAX ? first : `${first.slice(0, TITLE_CHARS_MAX - 1)}…`;
}

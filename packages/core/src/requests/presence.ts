/** Requests to have a session, to have none, and to be removed. Each is granted, or refused with what to do instead. */
import { refuse, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { endRestore } from '../worker/checkpoint.ts';
import { isLeaving, want } from '../worker/lifecycle.ts';
import { endAccept, isMerging } from '../worker/merge.ts';
import { isBusy } from '../worker/status.ts';
import { MERGING } from './way-out.ts';

/** The worker shall have a session. Refused for one that is being removed; asking twice is asking once. */
export function bringUp(step: Step): Step {
  return wantPresence(step, 'up');
}

/**
 * The session shall be closed and stay closed; worktree, branch and task stay. Refused for a worker that is being removed.
 */
export function takeDown(step: Step): Step {
  return wantPresence(step, 'down');
}

function wantPresence(step: Step, wanted: 'up' | 'down'): Step {
  const { lifecycle } = step.worker;
  if (isLeaving(lifecycle)) return refuse(step, 'leaving', 'The worker is being removed');
  return set(rule(step, wanted), { lifecycle: want(lifecycle, wanted) });
}

/** Without force only a worker without unmerged work goes; the machine checks again before it removes anything. */
export function removeWorker(step: Step, { force }: { readonly force: boolean }): Step {
  const { lifecycle, worktree, merge, checkpoint } = step.worker;
  const { status } = lifecycle;
  if (isMerging(merge)) return refuse(step, 'accepting', MERGING);
  const hasWork = isBusy(status) || status === 'needs_review' || (worktree.git?.ahead ?? 0) > 0;
  if (!force && hasWork) {
    const work = isBusy(status) ? 'it is at work' : 'it has work that is not merged';
    return refuse(
      step,
      'unmerged',
      `Not removed: ${work}. Accept it first, or repeat with --force (its work is kept for 14 days)`,
    );
  }
  return set(rule(step, 'nuke'), {
    lifecycle: want(lifecycle, force ? 'gone-by-force' : 'gone'),
    merge: endAccept(merge),
    checkpoint: endRestore(checkpoint),
  });
}

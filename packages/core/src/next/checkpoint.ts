/** Issues saves of the work, and the way back to a checkpoint. */
import { issue } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { finishRestore } from '../recovery/restore.ts';
import { issueSecondCheck } from '../recovery/second-signal.ts';
import { doubtOf, isAlive } from '../worker/session.ts';

/** Issues the save that waits, if one does. */
export function issueSave(step: Step): Step {
  const { due } = step.worker.checkpoint;
  if (due === null) return step;
  return issue(step, {
    kind: 'checkpoint',
    id: due.id,
    type: due.type,
    why: due.why,
    keptMax: step.ctx.policy.checkpoint.keptMax,
  });
}

/** Issues the next step of the restore: no agent writes into a worktree that is being restored. */
export function issueRestore(step: Step): Step {
  const { session, checkpoint } = step.worker;
  const { restore } = checkpoint;
  if (restore === null) return step;
  if (restore.commit === null) return finishRestore(step);
  if (doubtOf(session) !== null && isAlive(session.pane)) return issueSecondCheck(step);
  if (session.pane.kind !== 'absent') return issue(step, { kind: 'close' });
  return issue(step, { kind: 'restore', id: restore.id, commit: restore.commit, saveAs: step.ctx.fresh });
}

/** Issues saves of the work, and the way back to a checkpoint. */
import { issue } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { CheckpointType } from '../machine/commands.ts';
import { finishRestore } from '../recovery/restore.ts';
import { issueSecondCheck } from '../recovery/second-signal.ts';
import type { CheckpointDue } from '../worker/checkpoint.ts';
import { doubtOf, isAlive } from '../worker/session.ts';

/** Types of saves that wait until nothing else is to be done. */
const LEISURELY: ReadonlySet<CheckpointType> = new Set([
  'session_start',
  'periodic',
  'stage_complete',
  'error_recovery',
]);

/** Tells whether other commands wait for the save. */
export function isUrgent({ type }: CheckpointDue): boolean {
  return !LEISURELY.has(type);
}

/** Issues the save that waits, if one does. */
export function issueSave(step: Step): Step {
  const { due } = step.worker.checkpoint;
  if (due === null) return step;
  return issue(step, { kind: 'checkpoint', id: due.id, type: due.type, why: due.why });
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

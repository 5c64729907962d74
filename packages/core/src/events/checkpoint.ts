/** Records the end of a save, and the failure of a restore. A failed save is a row of the error log and nothing more. */
import { note, record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { Command, Success } from '../machine/commands.ts';
import { onlyLog } from '../recovery/incident.ts';
import { tryNextWay } from '../recovery/ladder.ts';
import { endRestore, endSave } from '../worker/checkpoint.ts';
import { isAtTask } from '../worker/lifecycle.ts';
import { setRestoreDue } from '../worker/mailbox.ts';
import { markTaken } from '../worker/task.ts';

/** Component of the error of a failed save. The next successful save ends that error. */
export const SAVING = 'checkpoint';

/** Handles a successful save. */
export function saveEnded(step: Step, command: Command<'checkpoint'>, { commit }: Success<'checkpoint'>): Step {
  const { checkpoint, session, incident: trouble } = step.worker;
  // The work was merged meanwhile, and its checkpoints were dropped.
  if (checkpoint.due === null) return step;
  const { id, type, why } = command;
  const incident = checkpoint.due.id === id ? checkpoint.due.incident : (trouble.open?.id ?? null);
  const at = step.ctx.now;
  const last = commit === null ? null : { id, commit, at };
  const kept = set(rule(step, `checkpoint:${type}`), { checkpoint: endSave(checkpoint, { id, at, last }) });
  const { conversation } = session;
  return record(kept, {
    kind: 'checkpoint',
    id,
    type,
    commit,
    conversation: conversation?.used === true ? conversation.id : null,
    incident,
    why,
  });
}

/** Writes a failed save to the error log; the work goes on. */
export function saveFailed(step: Step, { id }: Command<'checkpoint'>, message: string): Step {
  const why = `Drover could not save its work: ${message}`;
  const failure = { code: 'GIT_WORKTREE_FAILED', why, details: message, component: SAVING } as const;
  const logged = onlyLog(rule(step, 'checkpoint-failed'), failure);
  return set(logged, { checkpoint: endSave(logged.worker.checkpoint, { id, at: step.ctx.now, last: null }) });
}

/** Handles a failed restore, which leaves the worktree as it was: the next way out, or on with the present files. */
export function restoreFailed(step: Step, message: string): Step {
  const why = `Drover could not restore the checkpoint: ${message}`;
  const failure = { code: 'GIT_WORKTREE_FAILED', why, details: message } as const;
  const { task, mailbox, incident, lifecycle, checkpoint } = step.worker;
  const going = set(note(onlyLog(rule(step, 'restore-failed'), failure), why), {
    checkpoint: endRestore(checkpoint),
    // The restore took back the task's text: Drover gives it again, even if the agent never had it.
    task: mailbox.current?.purpose === 'task' ? task : markTaken(task),
    mailbox: setRestoreDue(mailbox, isAtTask(lifecycle)),
  });
  const told = record(going, { kind: 'notice', text: why });
  const { open } = incident;
  return open === null ? told : tryNextWay(told, { code: open.code, why: open.why });
}

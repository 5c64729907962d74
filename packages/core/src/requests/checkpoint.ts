/** Requests to save the work, and to bring a worker back to a checkpoint (docs/recovery.md, checkpoints). */
import { becomeOrReturnTo, happen, refuse, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { closeQuestion } from '../recovery/close-question.ts';
import { requeueTexts } from '../recovery/mail.ts';
import { wantCheckpointNamed } from '../recovery/save.ts';
import { beginRestore } from '../worker/checkpoint.ts';
import type { WorkerEvent } from '../worker/event.ts';
import { coolDown } from '../worker/incident.ts';
import { giveBack } from '../worker/lifecycle.ts';
import { setTexts, textsOfPeople, unsentTexts } from '../worker/mailbox.ts';
import { keepProgram } from '../worker/session.ts';
import { setResetDue } from '../worker/worktree.ts';
import { notUp } from './way-out.ts';
import { isAccepting } from '../merge/step.ts';

type Event<K extends WorkerEvent['kind']> = Extract<WorkerEvent, { kind: K }>;

/** Saves the work at a person's request. */
export function saveWork(step: Step, { id, why }: Event<'checkpoint-requested'>): Step {
  if (step.worker.worktree.place.kind === 'none') return refuse(step, 'no-worktree', 'The worker has no worktree yet');
  return wantCheckpointNamed(rule(step, 'checkpoint-requested'), 'manual', { id, why });
}

/** Brings the worker back to a checkpoint at a person's request: its session is closed, the worktree restored, the task given again. */
export function restoreWork(step: Step, { checkpoint, resetAgent }: Event<'restore-requested'>): Step {
  const { lifecycle, merge, task, incident } = step.worker;
  if (lifecycle.wanted !== 'up') return refuse(step, 'offline', notUp(lifecycle));
  if (isAccepting(merge.step)) return refuse(step, 'accepting', 'Its work is being merged: wait until that is done');
  if (task.kind === 'none') {
    return refuse(step, 'no-task', 'The worker has no task: give it one with "drover start", then repeat');
  }
  const closed = closeQuestion(rule(step, 'restore-requested'), 'resolved');
  const working = becomeOrReturnTo(closed, 'working', 'Drover is restoring a checkpoint');
  const begun = happen(happen(requeueTexts(working), 'restore-begun'), 'budget-renewed');
  const { worker } = begun;
  return set(begun, {
    checkpoint: beginRestore(worker.checkpoint, {
      ...checkpoint,
      conversation: resetAgent ? null : checkpoint.conversation,
    }),
    lifecycle: giveBack(worker.lifecycle),
    incident: coolDown(worker.incident, null),
    session: keepProgram(worker.session),
    // Texts of people come after the task, which is given again.
    mailbox: setTexts(worker.mailbox, textsOfPeople([...(incident.open?.held ?? []), ...unsentTexts(worker.mailbox)])),
    worktree: setResetDue(worker.worktree, false),
  });
}

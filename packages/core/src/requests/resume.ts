/** Lets a worker go on that waited for a person: with other words, or by another attempt. */
import { becomeOrReturnTo, happen, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { resumeText } from '../policy/texts.ts';
import { sendText } from '../recovery/mail.ts';
import { tellUnread } from '../recovery/told.ts';
import type { Incident } from '../worker/incident.ts';
import {
  isUntouched,
  newText,
  setRestoreDue,
  setTexts,
  textsOfPeople,
  unsentTexts,
  withoutCounts,
} from '../worker/mailbox.ts';
import type { Text } from '../worker/mailbox.ts';
import { isReplaced } from '../worker/session.ts';
import { isBusy } from '../worker/status.ts';
import type { WorkerStatus } from '../worker/status.ts';
import { inHand, setHeadBefore } from '../worker/task.ts';
import { setJudgeDue } from '../worker/turn.ts';
import { setResetDue } from '../worker/worktree.ts';

/** State of a resumed worker without a known incident. */
export const AT_WORK: Pick<Incident, 'before' | 'held'> = { before: 'working', held: [] };

/**
 * Resumes the worker at a person's request: the budget is fresh, and a task that was never taken goes out, before the person's text if there
 * is one. The task takes the place of the texts that failed; untried words of other people come first.
 */
export function resumeWith(
  step: Step,
  message: Text | null,
  { before, held }: Pick<Incident, 'before' | 'held'>,
): Step {
  const { worker } = step;
  const task = inHand(worker.task);
  const { status } = worker.lifecycle;
  const texts = [...held, ...unsentTexts(worker.mailbox)];
  const said = textsOfPeople(texts);
  const kept = said.filter((text) => isUntouched(worker.command.inFlight, text));
  // A text is for work: a worker without a task, or with finished work, takes it as its task's next turn.
  const target = before === 'rebasing' || before === 'rejected' ? before : 'working';
  // R5: a check looks first for a task that may have been taken.
  const unknown = unknownTask(texts);
  const untaken = task !== null && !task.taken ? [unknown ?? newText(task.id, 'task', task.text)] : [];
  const told = tellUnread(
    step,
    said.filter((text) => !kept.includes(text)),
    'a person resumed it with other words than these, which it may not have read',
  );
  const to = status === 'offline' ? target : reachable(status, target, true);
  const moved = becomeOrReturnTo(happen(told, 'person-resumed'), to, 'a person resumed it');
  const { worktree, mailbox } = moved.worker;
  const first = set(moved, {
    mailbox: setTexts(mailbox, []),
    worktree: setResetDue(worktree, worktree.resetDue || (untaken.length > 0 && unknown === undefined)),
  });
  return [...untaken, ...kept, ...(message === null ? [] : [message])].reduce(sendText, first);
}

/** Returns the task among texts that were on their way, if some of it may have been typed. */
export function unknownTask(held: readonly Text[]): Text | undefined {
  return held.find(({ purpose, verify, next }) => purpose === 'task' && (verify !== null || next !== 'type'));
}

/** Tries again: sends the texts that were on their way, or the task from its present state. */
export function tryAgain(step: Step, { before, held, code }: Pick<Incident, 'before' | 'held' | 'code'>): Step {
  const { status } = step.worker.lifecycle;
  const task = inHand(step.worker.task);
  const isFinished = step.worker.merge.stopped === true || code === 'VALIDATION_FAILED';
  const target = reachable(status, before, task !== null);
  const moved = becomeOrReturnTo(happen(step, 'person-resumed'), target, 'a person asked Drover to try again');
  const { mailbox, worktree, session } = moved.worker;
  const cleared = setTexts(mailbox, []);
  const texts = set(moved, { mailbox: cleared });
  // Texts that people sent after the question was asked are no part of it, and are still to be delivered.
  const said = textsOfPeople(unsentTexts(mailbox)).filter(({ id }) => !held.some((text) => text.id === id));
  const then = (next: Step): Step => said.reduce(sendText, next);
  if (held.length > 0) return then(held.map(withoutCounts).reduce(sendText, texts));
  if (task === null || !isBusy(target)) return then(texts);
  if (!task.taken) {
    return then(sendText(set(texts, { worktree: setResetDue(worktree, true) }), newText(task.id, 'task', task.text)));
  }
  // The agent has done its task: the failed step is repeated, and the agent hears only its outcome.
  if (isFinished && said.length === 0)
    return set(texts, {
      mailbox: setRestoreDue(cleared, false),
      turn: setJudgeDue(moved.worker.turn, true),
      // Work that failed its checks counts as new work once more.
      task: code === 'VALIDATION_FAILED' ? setHeadBefore(moved.worker.task, null) : moved.worker.task,
    });
  if (session.pane.kind !== 'up' || isReplaced(session))
    return then(set(texts, { mailbox: setRestoreDue(cleared, true) }));
  if (said.length > 0) return then(texts);
  return sendText(texts, newText(step.ctx.fresh, 'continue', resumeText()));
}

/** Returns the status of a worker that is tried again. A worker that waited for input is at work, in any former status. */
function reachable(status: WorkerStatus, before: WorkerStatus, hasTask: boolean): WorkerStatus {
  if (before === 'needs_input' || before === 'error' || before === 'offline') return hasTask ? 'working' : 'idle';
  if (status !== 'needs_input' || before === 'idle') return before;
  return before === 'rebasing' ? before : 'working';
}

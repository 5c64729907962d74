/** Cancels the task that a worker has in hand: its agent stops, and the work so far is kept. */
import { becomeOrReturnTo, happen, record, refuse, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { closeQuestion } from '../recovery/close-question.ts';
import { wantCheckpointNamed } from '../recovery/save.ts';
import { tellUnread, unreadTexts } from '../recovery/told.ts';
import type { WorkerEvent } from '../worker/event.ts';
import { isLeaving, stateOf } from '../worker/lifecycle.ts';
import { isUntouched, unsentTexts } from '../worker/mailbox.ts';
import { isMerging } from '../merge/state.ts';
import { setConversation, setInterrupt, setReplacement } from '../worker/session.ts';
import { inHand, runOf } from '../worker/task.ts';
import type { TaskInHand } from '../worker/task.ts';
import type { Worker } from '../worker/worker.ts';
import { setGit } from '../worker/worktree.ts';
import { notUp, wayOut } from './way-out.ts';

type Cancelled = Extract<WorkerEvent, { kind: 'cancel-requested' }>;

/**
 * Ends the task at once, even if its machine hears nothing now: the agent is stopped before anything else is done there. Branch, files and
 * conversation stay as they are until the next task begins, and a checkpoint keeps them for longer.
 */
export function cancelTask(step: Step, { id, task: meant, by }: Cancelled): Step {
  const { worker } = step;
  const { lifecycle, merge } = worker;
  const task = inHand(worker.task);
  if (isLeaving(lifecycle)) return refuse(step, 'leaving', notUp(lifecycle));
  if (task?.id !== meant) return refuse(step, 'no-task', 'The worker no longer has this task');
  if (isMerging(merge)) return refuse(step, 'accepting', TOO_LATE);
  const isFinished = stateOf(lifecycle) === 'needs_review' && runOf(task) === null;
  if (isFinished) return refuse(step, 'in-review', FINISHED);
  const why = `its task was cancelled by ${by}`;
  return endTaskInHand(rule(step, 'cancel'), task, { id, why, status: 'cancelled' });
}

/** Ends the task in hand. `id`: name of the checkpoint; `status`: end of the task in the records. */
export function endTaskInHand(
  step: Step,
  task: TaskInHand,
  { id, why, status }: { id: string; why: string; status: 'accepted' | 'ended' | 'cancelled' },
): Step {
  const { worker } = step;
  const told = tellUnread(step, unreadTexts(worker), `${why}, perhaps before it had read`);
  const saved = wantCheckpointNamed(closeQuestion(told, 'cancelled'), 'manual', { id, why });
  const moved = becomeOrReturnTo(happen(saved, 'person-resumed'), 'idle', why);
  const ended = happen(moved, 'task-ended');
  const free = set(ended, { worktree: setGit(ended.worker.worktree, null) });
  return record(stopAgent(free, worker), { kind: 'task', id: task.id, status });
}

const TOO_LATE = 'It is too late: its work is being merged, and the merge runs to its end';
const FINISHED = `Its task is finished: ${wayOut('needs_review')}`;

/** Stops the agent. An agent that was never up has read nothing; one whose session opens or ends by then is at nothing (the slice `session`). */
export function stopAgent(step: Step, before: Worker): Step {
  const { session } = step.worker;
  if (session.pane.kind !== 'up') return step;
  const { policy } = step.ctx;
  const mayBegin = mayBeginTurn(before);
  const standsMs = mayBegin ? Math.max(policy.settleMs, policy.turnShowsMs) : policy.settleMs;
  const stopped = setInterrupt(session, { standsMs });
  // The conversation may hold a part of a text, and may not be there at all: a conversation that has taken no text is not kept.
  const isUnused = mayBegin && session.conversation?.used !== true;
  return set(step, { session: isUnused ? setReplacement(setConversation(stopped, null), true) : stopped });
}

/** Tells whether a text may be in the agent's box, in its program's own queue, or in its hands without a trace on the screen. */
export function mayBeginTurn({ mailbox, command, turn }: Worker): boolean {
  const isTyped = unsentTexts(mailbox).some((text) => !isUntouched(command.inFlight, text));
  return (
    isTyped || mailbox.queued.length > 0 || turn.phase.kind === 'unseen' || command.inFlight?.command.kind === 'deliver'
  );
}

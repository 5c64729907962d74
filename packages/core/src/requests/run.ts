/** Requests of a run to the worker that does one of its tasks: its next turn, and its release. A repeated request changes nothing (W8). */
import { become, refuse, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { closeQuestion } from '../recovery/close-question.ts';
import { sendText } from '../recovery/mail.ts';
import { tellUnread, unreadTexts } from '../recovery/told.ts';
import type { RunInHand, RunItem } from '../run/task.ts';
import type { WorkerEvent } from '../worker/event.ts';
import { giveBack, isLeaving } from '../worker/lifecycle.ts';
import { emptyMailbox, newText } from '../worker/mailbox.ts';
import { isBusy } from '../worker/status.ts';
import { beginRunTurn, changeRun, inHand, runOf, setHeadBefore } from '../worker/task.ts';
import { endTurn, restartClock } from '../worker/turn.ts';
import type { Worker } from '../worker/worker.ts';
import { endTaskInHand, stopAgent } from './cancel.ts';
import { notUp, wayOut } from './way-out.ts';

type Event<K extends WorkerEvent['kind']> = Extract<WorkerEvent, { kind: K }>;

/**
 * Gives the worker the next turn of its task: findings, another try, or the turn that hands back. An agent at work is interrupted first, and
 * texts that it has not read are dropped: the turn that they were for is over.
 */
export function takeRunTurn(step: Step, { id, text, run, handBack }: Event<'run-turn-requested'>): Step {
  const { lifecycle } = step.worker;
  const { status } = lifecycle;
  const known = itemOf(step.worker, run);
  if (known === null) return refuse(step, 'stale', NOT_ITS_TASK);
  if (run.attempt < known.attempt)
    return refuse(step, 'stale', `The worker is at attempt ${known.attempt} of this item, so ${run.attempt} is over`);
  const isKnown = handBack === true ? known.isLast || known.phase === 'held' : run.attempt === known.attempt;
  if (isKnown) return rule(step, 'run:turn-again');
  if (lifecycle.wanted !== 'up' || status === 'offline') return refuse(step, 'offline', notUp(lifecycle));
  if (status === 'error' || lifecycle.takenOver)
    return refuse(step, 'person', `The worker waits for a person: ${wayOut('error')}`);
  const named = rule(step, 'run:turn');
  const why = `${handBack === true ? 'reports what it has' : `attempt ${run.attempt}`} for ${runWords(run)}`;
  const working =
    status === 'needs_review' ? become(named, 'rejected', why) : become(interruptTurn(named), 'working', why);
  const { task, turn, worktree } = working.worker;
  const head = worktree.git?.head ?? inHand(task)?.headBefore ?? null;
  const begun = set(working, {
    task: handBack === true ? changeRun(task, { isLast: true }) : setHeadBefore(beginRunTurn(task, run), head),
    lifecycle: giveBack(working.worker.lifecycle),
    turn: restartClock(turn, step.ctx.now),
  });
  const owed = inHand(task);
  // An agent that was interrupted before it took its task has never seen it.
  const whole = owed === null || owed.taken ? text : `${owed.text}\n\n${text}`;
  return sendText(begun, { ...newText(id, 'rejection', whole), isOfRun: true });
}

/** Stops an agent in the midst of its turn; a question that it waited for is closed. */
export function interruptTurn(step: Step): Step {
  const { worker } = step;
  const closed = worker.lifecycle.status === 'needs_input' ? closeQuestion(step, 'cancelled') : step;
  const told = tellUnread(closed, unreadTexts(worker), 'its agent was interrupted, perhaps before it had read');
  const { turn, mailbox } = told.worker;
  const over = set(told, { turn: endTurn(turn), mailbox: emptyMailbox(mailbox) });
  return isBusy(worker.lifecycle.status) ? stopAgent(over, worker) : over;
}

/** Ends the task for the worker. The next task brings its place back to the default branch. */
export function releaseFromRun(step: Step, { id, run, how, why }: Event<'run-released'>): Step {
  const task = inHand(step.worker.task);
  if (task === null || itemOf(step.worker, run) === null) return refuse(step, 'stale', NOT_ITS_TASK);
  if (isLeaving(step.worker.lifecycle)) return refuse(step, 'leaving', notUp(step.worker.lifecycle));
  return endTaskInHand(rule(step, 'run:released'), task, { id, why, status: how === 'merged' ? 'accepted' : 'ended' });
}

const NOT_ITS_TASK = 'The worker no longer has this item of the run';

function itemOf({ task }: Worker, { runId, item }: Pick<RunItem, 'runId' | 'item'>): RunInHand | null {
  const has = runOf(task);
  return has !== null && has.runId === runId && has.item === item ? has : null;
}

/** Names a run and its stage for people. */
export function runWords({ runId, item }: Pick<RunItem, 'runId' | 'item'>): string {
  return `run ${runId.slice(-RUN_NAME_CHARS)}, stage ${item}`;
}

/** Characters from the end of a run's id by which people name it: the beginning of the id is the time. */
const RUN_NAME_CHARS = 8;

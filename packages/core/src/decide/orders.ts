/** What do orders by people change? Each says yes, or why not and what to do instead. */
import type { WorkerEvent } from '../worker/event.ts';
import { isBusy } from '../worker/status.ts';
import type { Outgoing, OutgoingPurpose, Worker } from '../worker/worker.ts';
import { AT_WORK, takenUp } from './answers.ts';
import { become, record, refuse, rule, set } from './decision.ts';
import type { Step } from './decision.ts';
import { closeQuestion } from './close-question.ts';
import { unreadTexts, wordsDropped } from './words.ts';

type Event<K extends WorkerEvent['kind']> = Extract<WorkerEvent, { kind: K }>;

/** The worker shall have a session. Refused for one that is being removed; asking twice is asking once. */
export function upOrdered(step: Step): Step {
  const { wanted } = step.worker;
  if (wanted === 'gone' || wanted === 'gone-by-force') return refuse(step, 'leaving', 'The worker is being removed');
  return set(rule(step, 'up'), { wanted: 'up' });
}

/**
 * The session shall be closed and stay closed; worktree, branch and task stay. Refused for a worker that is being removed.
 */
export function downOrdered(step: Step): Step {
  const { wanted } = step.worker;
  if (wanted === 'gone' || wanted === 'gone-by-force') return refuse(step, 'leaving', 'The worker is being removed');
  return set(rule(step, 'down'), { wanted: 'down' });
}

/** Without force only a worker without unmerged work goes; the machine checks again before it removes anything. */
export function nukeOrdered(step: Step, { force }: Event<'nuke-ordered'>): Step {
  const { status, git } = step.worker;
  if (isMerging(step.worker)) return refuse(step, 'accepting', MERGING);
  if (!force && (isBusy(status) || status === 'needs_review' || (git?.ahead ?? 0) > 0)) {
    const work = isBusy(status) ? 'it is at work' : 'it has work that is not merged';
    return refuse(
      step,
      'unmerged',
      `Not removed: ${work}. Accept it first, or repeat with --force (its work is kept for 14 days)`,
    );
  }
  return set(rule(step, 'nuke'), { wanted: force ? 'gone-by-force' : 'gone', accept: null, restoreFrom: null });
}

/** The worker is forgotten. Nothing is ordered: its session, worktree and branch stay on the machine as they are. */
export function machineRemoved(step: Step): Step {
  const told = rule(step, 'machine-removed');
  const free = step.ctx.mergeLease === 'mine' ? record(told, { kind: 'lease', action: 'release' }) : told;
  return record(free, { kind: 'gone' });
}

/**
 * Gives an idle worker a task: a worktree brought to the newest default branch, an agent with a fresh conversation, then
 * the text (docs/adr/0031-fresh-context.md). Refused unless the worker is up and idle.
 */
export function startOrdered(step: Step, { taskId, prompt, text }: Event<'start-ordered'>): Step {
  const { worker, ctx } = step;
  if (worker.wanted !== 'up') return refuse(step, 'offline', 'The worker is not up: run "drover up"');
  if (worker.status !== 'idle')
    return refuse(step, 'busy', `The worker is ${worker.status}, not idle: ${wayOut(worker.status)}`);
  const told = wordsDropped(step, unreadTexts(worker), 'a new task begins, and its agent has perhaps not read');
  const started = set(become(rule(told, 'start'), 'working', 'starting a task'), {
    task: { id: taskId, prompt, text, startedAt: ctx.now, headBefore: null, taken: false },
    outgoing: outgoing(taskId, 'task', text),
    backlog: [],
    queued: [],
    resetDue: true,
    turnSince: null,
    trouble: null,
    judgeDue: false,
    conversation: worker.conversation?.used === true ? null : worker.conversation,
    // A program that was to be ended for the task before is ended all the same.
    respawnDue: worker.respawnDue || worker.conversation?.used === true,
    doubt: null,
    restoreDue: false,
    taskAttempts: 0,
    answered: [],
    takenOver: false,
    conflicts: null,
    checkpoint: null,
    checkpointTriedAt: ctx.now,
    progress: { mark: null, at: ctx.now, nudges: 0 },
    pane: worker.pane.kind === 'dead' ? { ...worker.pane, restartAt: ctx.now } : worker.pane,
  });
  return record(started, { kind: 'task', id: taskId, status: 'started' });
}

/**
 * Queues a person's words for the agent, and takes up again who needed input or is in error. Refused where nobody is at
 * work, while its work is being merged, and while a dialog is shown: words typed there would choose an option.
 */
export function messageOrdered(step: Step, { id, text }: Event<'message-ordered'>): Step {
  const { worker } = step;
  if (worker.wanted !== 'up') return refuse(step, 'offline', 'The worker is not up: run "drover up"');
  // The merge ends the task, and with it whatever waits to be said of it.
  if (isMerging(worker)) return refuse(step, 'accepting', MERGING);
  switch (worker.status) {
    case 'working':
    case 'rejected':
    case 'rebasing':
      return enqueue(set(rule(step, 'message'), { takenOver: false }), outgoing(id, 'message', text));
    case 'offline':
      return messageForLater(step, outgoing(id, 'message', text));
    case 'needs_input':
      if (showsDialog(step))
        return refuse(step, 'dialog', 'The worker shows a dialog, which a message cannot answer: run "drover attach"');
      return answeredByMessage(step, outgoing(id, 'message', text));
    case 'error':
      return fromError(step, outgoing(id, 'message', text));
    case 'idle':
    case 'needs_review':
      return refuse(step, 'not-working', `The worker is ${worker.status}: ${wayOut(worker.status)}`);
    default:
      return worker.status satisfies never;
  }
}

/** The session comes back to the state before, and the words must find there whom they are for. */
function messageForLater(step: Step, message: Outgoing): Step {
  const { before } = step.worker;
  if (before === 'idle' || before === 'needs_review') {
    return refuse(step, 'not-working', `The worker has no session and comes back ${before}: ${wayOut(before)}`);
  }
  if (before === 'error') return fromError(step, message);
  const open = before === 'needs_input' ? closeQuestion(step, 'resolved') : step;
  const back = before === 'needs_input' ? set(open, { before: 'working', takenOver: false }) : open;
  return enqueue(rule(back, 'message'), message);
}

function fromError(step: Step, message: Outgoing): Step {
  const held = step.worker.incident?.held ?? [];
  return takenUp(closeQuestion(rule(step, 'message'), 'resolved'), message, { ...AT_WORK, held });
}

/** A person's words are what it waited for. Conflicts that are left in the worktree are still to be resolved. */
function answeredByMessage(step: Step, message: Outgoing): Step {
  const closed = closeQuestion(rule(step, 'message'), 'resolved');
  const { progress, git } = closed.worker;
  const to = git?.rebasing === true ? 'rebasing' : 'working';
  const working = set(become(closed, to, 'answered by a message'), {
    takenOver: false,
    taskAttempts: 0,
    coolUntil: null,
    progress: { ...progress, at: step.ctx.now, nudges: 0 },
  });
  return enqueue(working, message);
}

/** Sends work back with feedback. From now on only a commit other than the rejected one counts as new work. */
export function rejectOrdered(step: Step, { id, text }: Event<'reject-ordered'>): Step {
  const { worker } = step;
  if (worker.status !== 'needs_review')
    return refuse(step, 'not-in-review', `Nothing to reject: the worker is ${worker.status}`);
  if (worker.accept !== null) return refuse(step, 'accepting', 'Its work is being merged already');
  const task = worker.task === null ? null : { ...worker.task, headBefore: worker.git?.head ?? worker.task.headBefore };
  const rejected = set(become(rule(step, 'reject'), 'rejected', 'sent back with feedback'), {
    task,
    rebaseDue: false,
    takenOver: false,
  });
  const noted = task === null ? rejected : record(rejected, { kind: 'task', id: task.id, status: 'rejected' });
  return enqueue(noted, outgoing(id, 'rejection', text));
}

/** Only what the person has seen is merged. Asking twice is asking once. */
export function acceptOrdered(step: Step, { pin }: Event<'accept-ordered'>): Step {
  const { worker, ctx } = step;
  if (worker.accept !== null)
    return worker.accept.reviewed === pin?.head ? rule(step, 'accept-again') : refuse(step, 'accepting', MERGING);
  if (worker.status !== 'needs_review')
    return refuse(step, 'not-in-review', `Nothing to accept: the worker is ${worker.status}`);
  if (worker.wanted !== 'up') return refuse(step, 'offline', 'The worker is not up: run "drover up"');
  if (pin === null || pin === undefined)
    return refuse(step, 'not-reviewed', 'It is not known which commit was reviewed: run "drover review" first');
  return set(rule(step, 'accept'), {
    accept: { step: 'waiting', reviewed: pin.head, pin, base: null, commit: null, expected: null, since: ctx.now },
    failures: 0,
    holdUntil: null,
  });
}

/** Why an order is refused while the work is being merged. */
export const MERGING = 'Its work is being merged: wait until that is done, then repeat';

/** Whether a merge has begun: it goes to its end. */
export function isMerging({ accept }: Worker): boolean {
  return accept !== null && accept.step !== 'waiting';
}

/** A text that was not tried yet. */
export function outgoing(id: string, purpose: OutgoingPurpose, text: string): Outgoing {
  return { id, purpose, text, lost: 0, partial: 0, refused: 0, notBefore: 0, verify: null, next: 'type' };
}

/** Texts go out one after the other, in the order in which they were given. */
export function enqueue(step: Step, text: Outgoing): Step {
  const { outgoing: current, backlog, pane } = step.worker;
  // A seat that its user left empty is filled again: a text needs an agent that takes it.
  const seat = pane.kind === 'dead' && pane.restartAt === null ? { ...pane, restartAt: step.ctx.now } : pane;
  if (current === null) return set(step, { outgoing: text, pane: seat });
  return set(step, { backlog: [...backlog, text], pane: seat });
}

function showsDialog(step: Step): boolean {
  const kind = step.worker.seen?.state.kind;
  return kind === 'dialog' || kind === 'permission' || kind === 'question';
}

function wayOut(status: string): string {
  switch (status) {
    case 'needs_review':
      return 'run "drover review", then "drover accept" or "drover reject"';
    case 'needs_input':
      return 'answer it with "drover message"';
    case 'error':
      return 'see "drover why"; "drover message" takes it up again';
    case 'idle':
      return 'give it a task with "drover start"';
    case 'offline':
      return 'run "drover up"';
    default:
      return 'wait until it is done, or send it a "drover message"';
  }
}

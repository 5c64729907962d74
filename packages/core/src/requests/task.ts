/** Requests about a task: start it, send a message, send the work back, rebase it, accept it. Each is granted, or refused with what to do instead. */
import { become, happen, record, refuse, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { closeQuestion } from '../recovery/close-question.ts';
import { isAtWork } from '../machine/reading.ts';
import { sendText } from '../recovery/mail.ts';
import { tellUnread, unreadTexts } from '../recovery/told.ts';
import { setMark } from '../worker/budget.ts';
import { forgetFailures, holdUntil, land } from '../worker/command.ts';
import type { WorkerEvent } from '../worker/event.ts';
import { coolDown } from '../worker/incident.ts';
import { comeBackTo, giveBack, stateOf } from '../worker/lifecycle.ts';
import { CHARACTERS_OF_PEOPLE_MAX, hasRoom, newText, TEXTS_OF_PEOPLE_MAX } from '../worker/mailbox.ts';
import type { Text } from '../worker/mailbox.ts';
import { acceptPin, dropReview, endAccept, forgetGivenUp, goTo, isMerging, setFacts } from '../merge/state.ts';
import type { Candidate } from '../merge/state.ts';
import { isAccepting } from '../merge/step.ts';
import type { Waiting } from '../merge/step.ts';
import { inHand, renewAttempts, runOf, setHeadBefore, takeInHand } from '../worker/task.ts';
import { seenOf } from '../worker/session.ts';
import { isBusy } from '../worker/status.ts';
import { heldBy, restartClock } from '../worker/turn.ts';
import type { StartingPoint } from '../worker/task.ts';
import type { Worker } from '../worker/worker.ts';
import type { Worktree } from '../worker/worktree.ts';
import { tellOptions } from './dialog-option.ts';
import { AT_WORK, resumeWith } from './resume.ts';
import { runWords } from './run.ts';
import { MERGING, notUp, wayOut } from './way-out.ts';

type Event<K extends WorkerEvent['kind']> = Extract<WorkerEvent, { kind: K }>;

/**
 * Gives an idle worker a task: a worktree brought to the newest default branch, an agent with a fresh conversation, then
 * the text (docs/adr/0006-one-way-for-every-recovery.md). Refused unless the worker is up and idle.
 */
export function startTask(step: Step, { taskId, prompt, text, from, run }: Event<'start-requested'>): Step {
  const { worker, ctx } = step;
  const { status, wanted } = worker.lifecycle;
  if (wanted !== 'up') return refuse(step, 'offline', notUp(step.worker.lifecycle));
  if (status !== 'idle') return refuse(step, 'busy', `The worker is ${status}, not idle: ${wayOut(status)}`);
  const told = tellUnread(step, unreadTexts(worker), 'a new task begins, and its agent has perhaps not read');
  const begun = happen(become(rule(told, 'start'), 'working', 'starting a task'), 'task-begun');
  const { task } = begun.worker;
  const hand = { id: taskId, prompt, text, startedAt: ctx.now, ...(from !== undefined && { from }) };
  const held = set(begun, { task: takeInHand(task, hand, run) });
  const given = from === undefined ? held : record(held, { kind: 'notice', text: tellStart(from) });
  return record(sendText(given, newText(taskId, 'task', text)), { kind: 'task', id: taskId, status: 'started' });
}

function tellStart({ name, commit }: StartingPoint): string {
  return `its task begins on ${name} at ${commit.slice(0, 12)}; a review also shows the earlier commits`;
}

const MAILBOX_FULL = `Its agent has not taken the earlier messages, and at most ${TEXTS_OF_PEOPLE_MAX} messages with ${CHARACTERS_OF_PEOPLE_MAX} characters in all can wait for a worker: wait, or see the reason with "drover why"`;

/**
 * Queues a person's text for the agent, and resumes a worker that needed input or is in error. Refused while no agent is at work, while too
 * many texts of people wait, while its work is being merged, and while a dialog is shown: words typed there would choose an option. A text
 * that names an option does not get here: it answers the open question about the dialog.
 */
export function sendMessage(step: Step, { id, text, grantsNothing }: Event<'message-requested'>): Step {
  const { lifecycle, merge } = step.worker;
  const { status } = lifecycle;
  if (lifecycle.wanted !== 'up') return refuse(step, 'offline', notUp(lifecycle));
  if (grantsNothing === true && (lifecycle.takenOver || !isBusy(stateOf(lifecycle))))
    return refuse(step, 'not-working', 'The worker waits for a person');
  // The merge ends the task, and with it all waiting texts about it.
  if (isMerging(merge)) return refuse(step, 'accepting', MERGING);
  const message: Text = { ...newText(id, 'message', text), ...(grantsNothing === true && { isOfRun: true }) };
  if (!hasRoom(unreadTexts(step.worker), message)) return refuse(step, 'mailbox-full', MAILBOX_FULL);
  const dialog = tellOptions(step.worker);
  switch (status) {
    case 'working':
    case 'rejected':
    case 'rebasing':
      return queueMessage(set(step, { lifecycle: giveBack(lifecycle) }), message);
    case 'offline':
      return sendForLater(step, message);
    case 'needs_input':
      return dialog === null ? answerByMessage(step, message) : refuse(step, 'dialog', dialog);
    case 'error':
      return resumeFromError(step, message);
    case 'idle':
    case 'needs_review':
      return refuse(step, 'not-working', `The worker is ${status}: ${wayOut(status)}`);
    default:
      return status satisfies never;
  }
}

/** Queues the text. At a spent budget nothing is typed behind the turn that hands back: a person is asked before. */
function queueMessage(step: Step, message: Text): Step {
  const { budget } = step.worker;
  const { mark } = budget;
  if (mark.kind !== 'handing-back') return sendText(rule(step, 'message'), message);
  return set(rule(step, 'message'), { budget: setMark(budget, { ...mark, kept: [...mark.kept, message] }) });
}

/** Keeps the text for later. The session comes back to the state before, and the text must find there the agent that it is for. */
function sendForLater(step: Step, message: Text): Step {
  const { before } = step.worker.lifecycle;
  if (before === 'idle' || before === 'needs_review') {
    return refuse(
      step,
      'not-working',
      `The worker has no session and will be ${before} when it is up again: ${wayOut(before)}`,
    );
  }
  if (before === 'error') return resumeFromError(step, message);
  if (before !== 'needs_input') return queueMessage(step, message);
  const closed = closeQuestion(step, 'resolved');
  const { lifecycle } = closed.worker;
  const back = set(closed, { lifecycle: giveBack(comeBackTo(lifecycle, 'working')) });
  return sendText(rule(back, 'message'), message);
}

function resumeFromError(step: Step, message: Text): Step {
  const held = step.worker.incident.open?.held ?? [];
  return resumeWith(closeQuestion(rule(step, 'message'), 'resolved'), message, { ...AT_WORK, held });
}

/** Answers with a person's text a worker that waited for it. Conflicts that are left in the worktree are still to be resolved. */
function answerByMessage(step: Step, message: Text): Step {
  const closed = closeQuestion(rule(step, 'message'), 'resolved');
  const { merge, worktree } = closed.worker;
  const to = merge.conflicts?.open === true || worktree.git?.rebasing === true ? 'rebasing' : 'working';
  const moved = become(closed, to, 'answered by a message');
  const { lifecycle, task, incident, turn } = moved.worker;
  const working = set(moved, {
    lifecycle: giveBack(lifecycle),
    task: renewAttempts(task),
    incident: coolDown(incident, null),
    turn: restartClock(turn, step.ctx.now),
  });
  return sendText(working, message);
}

/** Puts work that waits for review on the newest default branch, in its worktree. The agent resolves again the conflicts that it gave up. */
export function rebaseWork(step: Step): Step {
  const { lifecycle, merge, command } = step.worker;
  if (!isInReview(step.worker)) return refuse(step, 'not-in-review', `Nothing to rebase: ${notInReview(step.worker)}`);
  if (lifecycle.wanted !== 'up') return refuse(step, 'offline', notUp(lifecycle));
  if (isAccepting(merge.step)) return refuse(step, 'accepting', MERGING);
  return set(rule(step, 'rebase'), {
    merge: setFacts(forgetGivenUp(dropReview(merge)), { rebaseDue: true }),
    command: holdUntil(forgetFailures(command), null),
  });
}

/** Tells whether work waits for a person's review: that of a run's task waits for its run. */
function isInReview({ lifecycle, task }: Worker): boolean {
  return lifecycle.status === 'needs_review' && runOf(task) === null;
}

/** Says why nothing can be reviewed now. */
function notInReview({ lifecycle, merge, task }: Worker): string {
  const run = runOf(task);
  if (run !== null)
    return `its work belongs to ${runWords(run)}, which decides about it: "drover cancel" takes it away from the run`;
  return merge.step.kind === 'reviewing'
    ? 'its work is being checked and does not wait for review yet'
    : `the worker is ${lifecycle.status}`;
}

/**
 * Sends work back with feedback. From now on only a commit other than the rejected one counts as new work. Before its agent has the feedback,
 * a clean worktree is brought to the newest default branch, so that the agent works on the commit that would be merged.
 */
export function rejectWork(step: Step, { id, text }: Event<'reject-requested'>): Step {
  const { lifecycle, merge } = step.worker;
  if (lifecycle.status === 'rejected') return refuse(step, 'not-in-review', SENT_BACK);
  if (!isInReview(step.worker)) return refuse(step, 'not-in-review', `Nothing to reject: ${notInReview(step.worker)}`);
  if (isMerging(merge)) return refuse(step, 'accepting', 'Its work is being merged already');
  // The rejection takes back an accept that waits for its turn, which may take long while the default branch is broken.
  const withdrawn = set(rule(step, 'reject'), { merge: endAccept(merge) });
  const moved = become(withdrawn, 'rejected', 'sent back with feedback');
  const { task, worktree } = moved.worker;
  const given = inHand(task);
  const rejected = set(moved, {
    task: setHeadBefore(task, worktree.git?.head ?? given?.headBefore ?? null),
    lifecycle: giveBack(moved.worker.lifecycle),
  });
  const noted = given === null ? rejected : record(rejected, { kind: 'task', id: given.id, status: 'rejected' });
  const sent = sendText(noted, newText(id, 'rejection', text));
  const isBehind =
    merge.candidate?.kind === 'candidate' && worktree.git?.dirty === 0 && !standsOn(worktree, merge.candidate);
  return set(sent, { merge: setFacts(sent.worker.merge, { rebaseDue: isBehind }) });
}

/** Tells whether the work stands on the base of its candidate already. */
function standsOn({ place }: Worktree, { base }: Candidate): boolean {
  return place.kind === 'ready' && place.base === base;
}

const SENT_BACK =
  'Your feedback was not sent, because somebody sent the work back first ("drover logs" says who): add to it with "drover message"';

/** Tries again. The default branch failed its checks by itself, or the check was at fault: a person who asks again has put that right. */
function tryAgain(step: Step, { accept }: Waiting): Step {
  const fresh: Waiting = { kind: 'waiting', accept: { ...accept, runs: [], red: null }, notBefore: null };
  return set(rule(step, 'accept'), { merge: goTo(step.worker.merge, fresh) });
}

/** Accepts work: only the commit that the person has seen is merged. Asking twice is asking once. */
export function acceptWork(step: Step, { pin, nothing = false, more = false }: Event<'accept-requested'>): Step {
  const { lifecycle, merge, command } = step.worker;
  const { wanted } = lifecycle;
  const { now, policy } = step.ctx;
  const at = merge.step;
  if (isAccepting(at)) {
    if (at.accept.pin.head !== pin?.head) return refuse(step, 'accepting', MERGING);
    return at.kind === 'waiting' && at.accept.red !== null ? tryAgain(step, at) : rule(step, 'accept-again');
  }
  if (!isInReview(step.worker)) return refuse(step, 'not-in-review', `Nothing to accept: ${notInReview(step.worker)}`);
  if (wanted !== 'up') return refuse(step, 'offline', notUp(step.worker.lifecycle));
  if (pin === null || pin === undefined)
    return refuse(step, 'not-reviewed', 'It is not known which commit was reviewed: run "drover review" first');
  const running = whatRuns(step.worker);
  if (running !== null)
    return refuse(
      step,
      'at-work',
      `Not accepted: ${running} and may change the work after your review; wait until it stops, or end it with "drover attach"`,
    );
  // With others the accept does not take its turn in this very decision: they may be decided after it in the same transaction.
  const notBefore = more ? now + Math.max(1, policy.trainGatherMs) : null;
  return set(rule(step, 'accept'), {
    merge: acceptPin(merge, pin, { since: now, nothing, notBefore }),
    command: holdUntil(forgetFailures(isRecheck(command) ? land(command) : command), null),
  });
}

/** Says what of the agent is at work although its work waits for review; null: nothing. */
function whatRuns({ session, turn }: Worker): string | null {
  const seen = seenOf(session);
  if (seen !== null && isAtWork(seen.state)) return 'its agent is working again';
  const held = heldBy(turn);
  return held === null ? null : `its agent left work running in the background (${held.what})`;
}

/** Tells whether checks of a review run, which may wait for those of others: the accept has its own run first, and does not await these. */
function isRecheck({ inFlight }: Worker['command']): boolean {
  return inFlight?.command.kind === 'validate';
}

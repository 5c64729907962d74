/** Applies a person's answer to an escalation. A stale or repeated answer changes nothing (R7, R8). */
import { becomeOrReturnTo, happen, note, record, refuse, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { answerBudget } from '../events/budget.ts';
import { changedTaskText } from '../policy/texts.ts';
import { closeQuestion } from '../recovery/close-question.ts';
import { answerAsked, isOptionOfDialog, trustAskedBy } from '../recovery/dialogs.ts';
import { beginAttempt } from '../recovery/incident.ts';
import { GIVE_TRUST, GO_ON_TODAY, LET_RUN, RAISE_BUDGET, REFUSE_TRUST, WITHOUT_SET_UP } from '../recovery/questions.ts';
import { wantCheckpoint } from '../recovery/save.ts';
import { tellUnread, unreadTexts } from '../recovery/told.ts';
import { undecided } from '../machine/trust.ts';
import { dropDialog } from '../worker/dialog.ts';
import type { WorkerEvent } from '../worker/event.ts';
import { changeIncident, setTrouble } from '../worker/incident.ts';
import type { Incident } from '../worker/incident.ts';
import { takeOver } from '../worker/lifecycle.ts';
import { newText, setRestoreDue, unsentTexts } from '../worker/mailbox.ts';
import { isMerging } from '../merge/state.ts';
import { isAlive, isReplaced, seenOf, setConversation, setReplacement } from '../worker/session.ts';
import { inHand, markTaken, setTaskText } from '../worker/task.ts';
import { setBackgroundWait, setJudgeDue } from '../worker/turn.ts';
import { endSetUp, forgetUntrusted, setGit, setResetDue } from '../worker/worktree.ts';
import { AT_WORK, resumeWith, tryAgain, unknownTask } from './resume.ts';
import { MERGING } from './way-out.ts';

type Answered = Extract<WorkerEvent, { kind: 'escalation-answered' }>;

/** Takes the answer to the open question of this worker. Refused when that question is not open, or has no such option. */
export function answerEscalation(step: Step, { incident: id, option, text, by }: Answered): Step {
  const { open } = step.worker.incident;
  if (open === null || open.id !== id || !open.escalated)
    return refuse(step, 'stale', 'That question is no longer open: "drover escalation" lists the open ones');
  const chosen = open.options.find((one) => one.id === option);
  if (chosen === undefined) {
    const names = open.options.map((one) => `"${one.id}"`).join(', ');
    return refuse(step, 'no-such-option', `The question has no option "${option}"; its options are ${names}`);
  }
  const words = text?.trim() ?? '';
  if (chosen.needsText && words === '')
    return refuse(step, 'words-missing', `The option "${option}" needs a text: add --text "…"`);
  if (isMerging(step.worker.merge) && option !== 'wait') return refuse(step, 'accepting', MERGING);
  if (isOptionOfDialog(step, option)) return answerDialog(rule(step, 'answer:option'), option);
  const known = rule(step, `answer:${option}`);
  switch (option) {
    case 'retry':
      return tryAgain(closeQuestion(known, 'resolved', option), open);
    case WITHOUT_SET_UP:
      return tryAgain(closeQuestion(goOnUnprepared(known), 'resolved', option), open);
    case RAISE_BUDGET:
    case GO_ON_TODAY:
      return answerBudget(known, option);
    case GIVE_TRUST:
    case REFUSE_TRUST:
      return decideOnTool(known, option === GIVE_TRUST);
    case 'retry-with-changes':
      return goOnWith(known, words);
    case 'skip':
      return endTask(known, by);
    case 'take-over':
      return takeOverByHand(known, by);
    case LET_RUN:
      return endTurnBeside(known);
    case 'wait':
      return waitForMachine(known, open);
    // An option of a dialog that another screen has replaced.
    default:
      return refuse(step, 'stale', `Its dialog is not on the screen now: open its terminal with "drover attach"`);
  }
}

/** Answers the dialog on the screen. If it asks for trust, the answer holds for all workers of the project. */
function answerDialog(step: Step, label: string): Step {
  const seen = seenOf(step.worker.session);
  const asked = seen === null ? undefined : trustAskedBy(seen.state);
  const answered = answerAsked(step, label);
  if (asked === undefined || (label !== asked.accept && label !== asked.refuse)) return answered;
  return record(answered, { kind: 'trust', about: asked.kind, isTrusted: label === asked.accept });
}

/** Decides for the project on the file that a tool was asked about, and makes the place ready by that decision. */
function decideOnTool(step: Step, isTrusted: boolean): Step {
  const untrusted = undecided(step.ctx.trust, step.worker.worktree.supplies?.untrusted ?? []);
  if (untrusted === undefined) return toolDecided(step);
  return toolDecided(record(step, { kind: 'trust', about: untrusted.kind, isTrusted }));
}

/** Takes a decision on trust of another worker's question, or of a person's command: it may be the one that this worker waits for. */
export function toolTrustDecided(step: Step): Step {
  const waits = undecided(step.ctx.trust, step.worker.worktree.supplies?.untrusted ?? []) !== undefined;
  return waits ? step : toolDecided(step);
}

/** Goes on after a decision on a tool: the place of a worker that is at no task is prepared again, and its tools are told. */
function toolDecided(step: Step): Step {
  const { open } = step.worker.incident;
  if (open?.options.some(({ id }) => id === GIVE_TRUST) !== true) return step;
  const { worktree, task } = step.worker;
  const isAtTask = inHand(task)?.taken === true;
  const again = set(step, { worktree: setResetDue(forgetUntrusted(worktree), worktree.resetDue || !isAtTask) });
  return tryAgain(closeQuestion(again, 'resolved'), open);
}

/** Goes on with an unprepared place: nothing asks again until the lock files change. */
function goOnUnprepared(step: Step): Step {
  return set(step, { worktree: endSetUp(step.worker.worktree, 'skipped') });
}

/**
 * Level 3: goes on with the task and a person's words. The words are part of the task from now on, so an agent that has to be given the task
 * again hears them with it, and not after words that just failed.
 */
function goOnWith(step: Step, words: string): Step {
  const { incident, session, mailbox } = step.worker;
  const task = inHand(step.worker.task);
  const clarified = beginAttempt(step, { action: 'continue with the words of a person', strategy: 'retry', level: 3 });
  const closed = closeQuestion(clarified, 'resolved', 'retry-with-changes');
  const from = incident.open ?? AT_WORK;
  const message = newText(step.ctx.fresh, 'message', words);
  if (task === null) return resumeWith(closed, message, from);
  const changed = set(closed, { task: setTaskText(closed.worker.task, changedTaskText(task.text, words)) });
  const isGivenAgain = task.taken && (session.pane.kind !== 'up' || isReplaced(session));
  if (isGivenAgain) {
    const again = resumeWith(changed, null, from);
    return set(again, { mailbox: setRestoreDue(again.worker.mailbox, true) });
  }
  // R5: a check looks for text that may have been typed under its own words, so these come after it.
  const isFirst = !task.taken && unknownTask([...from.held, ...unsentTexts(mailbox)]) === undefined;
  return resumeWith(changed, isFirst ? null : message, from);
}

/** Ends the task without a result. The next start keeps the files in the worktree. */
function endTask(step: Step, by: string): Step {
  const { worker } = step;
  const task = inHand(worker.task);
  const why = `${by} ended its task`;
  const told = tellUnread(step, unreadTexts(worker), `${why}, perhaps before it had read`);
  const closed = closeQuestion(wantCheckpoint(told, 'before_retry', why), 'resolved', 'skip');
  const moved = becomeOrReturnTo(happen(closed, 'person-resumed'), 'idle', why);
  const ended = happen(moved, 'task-ended');
  const { session, worktree } = ended.worker;
  const free = set(ended, {
    worktree: setGit(worktree, null),
    // The old task's agent does not work on: a person ended it.
    session: setReplacement(setConversation(session, null), isAlive(session.pane)),
  });
  return task === null ? free : record(free, { kind: 'task', id: task.id, status: 'cancelled' });
}

/** Hands the worktree to the person, who works there by hand. Counts start at zero with the request that gives the worker back. */
function takeOverByHand(step: Step, by: string): Step {
  const { incident, task } = step.worker;
  const held = incident.open?.held ?? [];
  // R5: a task that may have been taken is not given again as if it had not been.
  const known = unknownTask(held) === undefined ? step : set(step, { task: markTaken(task) });
  const why = `${by} works there by hand; the next request of a person gives it back to Drover`;
  const told = tellUnread(known, held, 'a person took over, perhaps before it had read');
  const closed = closeQuestion(told, 'resolved', 'take-over');
  const moved = happen(note(becomeOrReturnTo(closed, 'needs_input', why), why), 'budget-renewed');
  const { lifecycle, dialog, mailbox, incident: calm } = moved.worker;
  return set(moved, {
    lifecycle: takeOver(lifecycle),
    dialog: dropDialog(dialog),
    incident: setTrouble(calm, null),
    mailbox: setRestoreDue(mailbox, false),
  });
}

/** Takes the turn as over although work runs on in its background: a check judges it. */
function endTurnBeside(step: Step): Step {
  const working = becomeOrReturnTo(
    closeQuestion(step, 'resolved', LET_RUN),
    'working',
    'its background work may continue',
  );
  const { turn } = working.worker;
  return set(working, { turn: setJudgeDue(setBackgroundWait(turn, 'let-run'), true) });
}

function waitForMachine(step: Step, { id }: Incident): Step {
  const told = record(step, { kind: 'escalation-closed', incident: id, how: 'resolved', option: 'wait' });
  return set(told, { incident: changeIncident(told.worker.incident, { escalated: false, options: [] }) });
}

/** What does a person's answer to an escalation change? A stale or repeated one nothing (R7, R8). */
import type { WorkerEvent } from '../worker/event.ts';
import type { Incident } from '../worker/incident.ts';
import type { Outgoing } from '../worker/worker.ts';
import type { WorkerStatus } from '../worker/status.ts';
import { isBusy } from '../worker/status.ts';
import { wantCheckpoint } from './checkpoints.ts';
import { become, record, refuse, rule, set } from './decision.ts';
import type { Step } from './decision.ts';
import { answerDialog, isOptionOfDialog } from './dialogs.ts';
import { closeQuestion } from './close-question.ts';
import { attempted, FRESH_COUNTS } from './incident.ts';
import { enqueue, isMerging, MERGING, outgoing } from './orders.ts';
import { changedTaskText, resumeText } from './texts.ts';
import { isUntouched, unreadTexts, waitingTexts, wordsDropped, wordsOfPeople } from './words.ts';

type Answered = Extract<WorkerEvent, { kind: 'escalation-answered' }>;

/** Takes the answer to the open question of this worker. Refused when that question is not open, or has no such option. */
export function escalationAnswered(step: Step, { incident: id, option, text, by }: Answered): Step {
  const { incident } = step.worker;
  if (incident === null || incident.id !== id || !incident.escalated)
    return refuse(step, 'stale', 'That question is not open any more');
  const chosen = incident.options.find((one) => one.id === option);
  if (chosen === undefined) {
    const names = incident.options.map((one) => `"${one.id}"`).join(', ');
    return refuse(step, 'no-such-option', `The question has no option "${option}"; it has ${names}`);
  }
  const words = text?.trim() ?? '';
  if (chosen.needsText && words === '')
    return refuse(step, 'words-missing', `The option "${option}" needs words of yours`);
  if (isMerging(step.worker) && option !== 'wait') return refuse(step, 'accepting', MERGING);
  const known = rule(step, `answer:${isOptionOfDialog(step, option) ? 'option' : option}`);
  if (isOptionOfDialog(step, option)) return answerDialog(known, option);
  switch (option) {
    case 'retry':
      return revived(closeQuestion(known, 'resolved', option), incident.before, incident.held);
    case 'retry-with-changes':
      return withWords(known, words);
    case 'skip':
      return skipped(known, by);
    case 'take-over':
      return takenOver(known, by);
    case 'wait':
      return waitsForMachine(known);
    // An option of a dialog that another screen has taken the place of.
    default:
      return refuse(step, 'stale', `Its dialog does not stand on the screen now: look at it with "drover attach"`);
  }
}

/**
 * Level 3: the task goes on with a person's words. They are part of the task from now on, so an agent that has to be given
 * the task again hears them with it, and not after words that just failed.
 */
function withWords(step: Step, words: string): Step {
  const { incident, task, pane, respawnDue } = step.worker;
  const clarified = attempted(step, { action: 'go on with the words of a person', strategy: 'retry', level: 3 });
  const closed = closeQuestion(clarified, 'resolved', 'retry-with-changes');
  const from = incident ?? AT_WORK;
  const message = outgoing(step.ctx.fresh, 'message', words);
  if (task === null) return takenUp(closed, message, from);
  const changed = set(closed, { task: { ...task, text: changedTaskText(task.text, words) } });
  const isGivenAgain = task.taken && (pane.kind !== 'up' || respawnDue);
  if (isGivenAgain) return set(takenUp(changed, null, from), { restoreDue: true });
  // R5: what may have been typed is looked for under its own words, so these come after it.
  const isFirst = !task.taken && unknownTask([...from.held, ...waitingTexts(step.worker)]) === undefined;
  return takenUp(changed, isFirst ? null : message, from);
}

/** Where a worker is taken up from which no incident is known. */
export const AT_WORK: Pick<Incident, 'before' | 'held'> = { before: 'working', held: [] };

/**
 * A person takes the worker up again: the budget is fresh, and a task that was never taken goes out, before the person's
 * words if there are any. Their words take the place of those that failed; what others said and was not tried yet comes first.
 */
export function takenUp(step: Step, words: Outgoing | null, { before, held }: Pick<Incident, 'before' | 'held'>): Step {
  const { task, status } = step.worker;
  const texts = [...held, ...waitingTexts(step.worker)];
  const said = wordsOfPeople(texts);
  const kept = said.filter((text) => isUntouched(step.worker, text));
  // Words are for work: a seat without a task, or with finished work, takes them as its task's next turn.
  const target = before === 'rebasing' || before === 'rejected' ? before : 'working';
  // R5: a task that may have been taken is looked for first.
  const unknown = unknownTask(texts);
  const untaken = task !== null && !task.taken ? [unknown ?? outgoing(task.id, 'task', task.text)] : [];
  const replaced = said.filter((text) => !kept.includes(text));
  const told = wordsDropped(
    step,
    replaced,
    'a person took it up again with other words than these, which it may not have read',
  );
  const fresh = withFreshBudget(told);
  const moved =
    status === 'offline'
      ? set(fresh, { before: target })
      : become(fresh, reachable(status, target, true), 'taken up again by a person');
  const first = set(moved, {
    outgoing: null,
    backlog: [],
    resetDue: moved.worker.resetDue || (untaken.length > 0 && unknown === undefined),
  });
  return [...untaken, ...kept, ...(words === null ? [] : [words])].reduce(enqueue, first);
}

/** The task among texts that were on their way, if some of it may have been typed. */
function unknownTask(held: readonly Outgoing[]): Outgoing | undefined {
  return held.find(({ purpose, verify, next }) => purpose === 'task' && (verify !== null || next !== 'type'));
}

/** The same again: the texts that were on their way, or the task from where it stands. */
function revived(step: Step, before: WorkerStatus, held: readonly Outgoing[]): Step {
  const { status, task } = step.worker;
  const target = reachable(status, before, task !== null);
  const fresh = withFreshBudget(step);
  const moved =
    status === 'offline' ? set(fresh, { before: target }) : become(fresh, target, 'is tried again, as a person said');
  const again = held.map((text) => ({ ...text, lost: 0, partial: 0, refused: 0, notBefore: 0 }));
  const texts = set(moved, { outgoing: null, backlog: [] });
  if (again.length > 0) return again.reduce(enqueue, texts);
  if (task === null || !isBusy(target)) return texts;
  if (!task.taken) return enqueue(set(texts, { resetDue: true }), outgoing(task.id, 'task', task.text));
  const { pane } = texts.worker;
  if (pane.kind !== 'up' || texts.worker.respawnDue) return set(texts, { restoreDue: true });
  return enqueue(texts, outgoing(step.ctx.fresh, 'continue', resumeText()));
}

/** Where a worker goes that is tried again. One that waited for input is at work, whatever it was before. */
function reachable(status: WorkerStatus, before: WorkerStatus, hasTask: boolean): WorkerStatus {
  if (before === 'needs_input' || before === 'error' || before === 'offline') return hasTask ? 'working' : 'idle';
  if (status !== 'needs_input' || before === 'idle') return before;
  return before === 'rebasing' ? before : 'working';
}

/** What was counted starts anew: a person took the matter up. */
export function withFreshBudget(step: Step): Step {
  const { pane, respawnDue, doubt, progress, seen } = step.worker;
  // An agent that never came up is started again, by the person's word.
  const neverCameUp = pane.kind === 'up' && (seen === null || seen.state.kind === 'starting');
  return set(step, {
    ...FRESH_COUNTS,
    holdUntil: null,
    coolUntil: null,
    trouble: null,
    doubt: null,
    dialog: null,
    answered: [],
    takenOver: false,
    progress: { ...progress, at: step.ctx.now, nudges: 0 },
    // What one signal asked for is not done because a person speaks.
    respawnDue: (respawnDue && doubt === null) || neverCameUp,
    pane: pane.kind === 'dead' ? { ...pane, restartAt: step.ctx.now } : pane,
  });
}

/** The task is over without a result. What stands in the worktree is kept by the next start. */
function skipped(step: Step, by: string): Step {
  const { task, status, pane } = step.worker;
  const why = `its task was ended by ${by}`;
  const told = wordsDropped(step, unreadTexts(step.worker), `${why}, perhaps before it had read`);
  const saved = wantCheckpoint(told, 'before_retry', why);
  const fresh = withFreshBudget(closeQuestion(saved, 'resolved', 'skip'));
  const moved = status === 'offline' ? set(fresh, { before: 'idle' }) : become(fresh, 'idle', why);
  const free = set(moved, {
    task: null,
    outgoing: null,
    backlog: [],
    queued: [],
    turnSince: null,
    restoreDue: false,
    restoreFrom: null,
    judgeDue: false,
    rebaseDue: false,
    accept: null,
    git: null,
    // The old task's agent does not work on: a person ended it.
    conversation: null,
    respawnDue: pane.kind === 'up' || pane.kind === 'starting',
  });
  return task === null ? free : record(free, { kind: 'task', id: task.id, status: 'failed' });
}

/** From now on the person's hands are at work there. What was counted starts anew with the order that gives it back. */
function takenOver(step: Step, by: string): Step {
  const { task, incident } = step.worker;
  // R5: a task that may have been taken is not given again as if it had not been.
  const known =
    task !== null && unknownTask(incident?.held ?? []) !== undefined
      ? set(step, { task: { ...task, taken: true } })
      : step;
  const why = `${by} works there by hand; the next order by a person gives it back`;
  const told = wordsDropped(known, incident?.held ?? [], 'a person took over before it had read, perhaps');
  const closed = closeQuestion(told, 'resolved', 'take-over');
  const moved =
    closed.worker.status === 'offline'
      ? set(closed, { before: 'needs_input', note: why })
      : become(closed, 'needs_input', why);
  return set(moved, { ...FRESH_COUNTS, takenOver: true, dialog: null, trouble: null, restoreDue: false });
}

function waitsForMachine(step: Step): Step {
  const { incident } = step.worker;
  if (incident === null) return step;
  const told = record(step, { kind: 'escalation-closed', incident: incident.id, how: 'resolved', option: 'wait' });
  return set(told, { incident: { ...incident, escalated: false, options: [] } });
}

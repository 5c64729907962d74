/**
 * Keeps the budgets of tasks outside of runs, of workers, projects and days: an agent is told near the end, and interrupted at the end, with one
 * turn to report. Then a person is asked. Runs keep these budgets by `run/steps/above.ts`, and their own by `run/steps/budgets.ts`, with the same shares.
 */
import { record, refuse, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { resumeText, RETURN_TEXT } from '../policy/texts.ts';
import { closeQuestion } from '../recovery/close-question.ts';
import { giveUp } from '../recovery/ladder.ts';
import { sendText } from '../recovery/mail.ts';
import { mayBeginTurn } from '../requests/cancel.ts';
import { tryAgain } from '../requests/resume.ts';
import { interruptTurn } from '../requests/run.ts';
import { leaveFor, leftWords, mostSpent, noteDay, spentWords } from '../run/allowance.ts';
import type { BudgetUse } from '../run/allowance.ts';
import { setMark } from '../worker/budget.ts';
import type { BudgetMark } from '../worker/budget.ts';
import type { WorkerEvent } from '../worker/event.ts';
import { isUntouched, newText, setTexts, textsOfPeople, unsentTexts } from '../worker/mailbox.ts';
import type { Text } from '../worker/mailbox.ts';
import { isBusy } from '../worker/status.ts';
import { inHand, runOf } from '../worker/task.ts';
import type { TaskInHand } from '../worker/task.ts';
import { endTurn } from '../worker/turn.ts';
import type { Worker } from '../worker/worker.ts';

type Told = Extract<WorkerEvent, { kind: 'budget-told' }>;

/** Hears what is spent of each budget that the worker is under. */
export function budgetTold(step: Step, { uses, dayEndsAt }: Told): Step {
  const known = set(step, { budget: noteDay(step.worker.budget, dayEndsAt, step.ctx.now) });
  const { budget } = known.worker;
  const most = mostSpent(budget, uses, step.ctx.now);
  if (most !== null && most.part >= 1) return spend(known, most.use);
  const open = budget.mark.kind === 'spent' || budget.mark.kind === 'handing-back' ? reopen(known) : known;
  const isNear = most !== null && most.part >= step.ctx.policy.run.nearShare;
  if (isNear) return open.worker.budget.mark.kind === 'near' ? open : tellNear(open, most.use, most.part);
  return open.worker.budget.mark.kind === 'near' ? mark(open, { kind: 'open' }) : open;
}

/** Tells whether the uses are news to the worker. */
export function isBudgetNews(
  { budget }: Worker,
  uses: readonly BudgetUse[],
  { now, nearShare }: { readonly now: number; readonly nearShare: number },
): boolean {
  const part = mostSpent(budget, uses, now)?.part ?? 0;
  const { mark: before } = budget;
  if (part >= 1) return before.kind !== 'spent' && before.kind !== 'handing-back';
  return part >= nearShare ? before.kind !== 'near' : before.kind !== 'open';
}

function mark(step: Step, next: BudgetMark): Step {
  return set(step, { budget: setMark(step.worker.budget, next) });
}

function tellNear(step: Step, use: BudgetUse, part: number): Step {
  const { worker } = step;
  const said = leftWords(use, part);
  const near = record(mark(rule(step, 'budget:near'), { kind: 'near' }), { kind: 'notice', text: said });
  if (!hasOwnTurn(worker)) return near;
  return sendText(near, newText(step.ctx.fresh, 'message', `${said}: finish, or commit and report what you have.`));
}

/** Tells whether the agent is in a turn for a task of its own, or a text may have begun one. */
function hasOwnTurn(worker: Worker): boolean {
  const { lifecycle, task, turn } = worker;
  const isOwn = inHand(task) !== null && runOf(task) === null && !lifecycle.takenOver;
  return isOwn && isBusy(lifecycle.status) && (turn.phase.kind !== 'none' || mayBeginTurn(worker));
}

function spend(step: Step, use: BudgetUse): Step {
  const { mark: before } = step.worker.budget;
  if (before.kind === 'handing-back') return mark(step, { ...before, use });
  const spent = mark(step, { kind: 'spent', use });
  return before.kind === 'spent'
    ? spent
    : record(rule(spent, 'budget:spent'), { kind: 'notice', text: spentWords(use) });
}

/** Goes on by itself once there is room again: on the next day, or with a greater budget. */
function reopen(step: Step): Step {
  const { incident, budget, mailbox, command } = step.worker;
  const opened = mark(rule(step, 'budget:open'), { kind: 'open' });
  if (budget.mark.kind === 'handing-back') {
    const isTyped = (text: Text): boolean => text.text !== RETURN_TEXT || !isUntouched(command.inFlight, text);
    const texts = set(opened, { mailbox: setTexts(mailbox, unsentTexts(mailbox).filter(isTyped)) });
    const { kept } = budget.mark;
    return (kept.length > 0 ? kept : [newText(step.ctx.fresh, 'continue', resumeText())]).reduce(sendText, texts);
  }
  const { open } = incident;
  if (open?.code !== 'BUDGET_SPENT' || !open.escalated) return opened;
  return tryAgain(closeQuestion(opened, 'resolved'), open);
}

/** Interrupts the agent. Texts of people of which nothing was typed are kept: the task goes on later. */
function interrupt(step: Step): { readonly stopped: Step; readonly kept: readonly Text[] } {
  const { mailbox, command } = step.worker;
  const kept = textsOfPeople(unsentTexts(mailbox)).filter((text) => isUntouched(command.inFlight, text));
  const others = unsentTexts(mailbox).filter((text) => !kept.includes(text));
  return { stopped: interruptTurn(set(step, { mailbox: setTexts(mailbox, others) })), kept };
}

/** Interrupts the agent, and gives it one turn to report. An agent that has not taken its task has nothing to report. */
function handBack(step: Step, task: TaskInHand, use: BudgetUse): Step {
  const { fresh } = step.ctx;
  const { stopped, kept } = interrupt(step);
  if (!task.taken) return ask([newText(task.id, 'task', task.text), ...kept].reduce(sendText, stopped), use);
  const marked = mark(rule(stopped, 'budget:hands-back'), { kind: 'handing-back', use, kept });
  return sendText(marked, newText(fresh, 'correction', RETURN_TEXT));
}

/** Ends the turn that hands back; null: there is none. */
export function endHandBack(step: Step): Step | null {
  const { budget, turn } = step.worker;
  const { mark: before } = budget;
  if (before.kind !== 'handing-back') return null;
  return before.kept.reduce(sendText, set(mark(step, { kind: 'spent', use: before.use }), { turn: endTurn(turn) }));
}

/** Ends the turn that hands back because its time is over. */
export function handBackOver(step: Step): Step {
  const { mark: before } = step.worker.budget;
  if (before.kind !== 'handing-back') return step;
  const spent = (at: Step): Step => mark(at, { kind: 'spent', use: before.use });
  if (!hasOwnTurn(step.worker)) return before.kept.reduce(sendText, spent(step));
  const { stopped, kept } = interrupt(step);
  return ask([...before.kept, ...kept].reduce(sendText, spent(stopped)), before.use);
}

/**
 * Ends the work of a worker whose budget is spent, after any event: an agent in a turn hands back; then a person is asked before anything more
 * is typed. The task of a run is its run's.
 */
export function endAtBudget(step: Step): Step {
  const { worker } = step;
  const { budget, lifecycle, incident, merge, checkpoint, move } = worker;
  const task = inHand(worker.task);
  // Checks of finished work, a return to a checkpoint and a move cost nothing.
  if (merge.step.kind === 'reviewing' || checkpoint.restore !== null || move.kind !== 'none') return step;
  if (budget.mark.kind !== 'spent' || task === null || runOf(worker.task) !== null) return step;
  if (!isBusy(lifecycle.status) || lifecycle.takenOver) return step;
  if (hasOwnTurn(worker)) return handBack(step, task, budget.mark.use);
  return incident.open?.escalated === true ? step : ask(step, budget.mark.use);
}

function ask(step: Step, use: BudgetUse): Step {
  return giveUp(rule(step, 'budget:asks'), { code: 'BUDGET_SPENT', why: spentWords(use) });
}

/** Applies a person's answer: more of this budget, or no limit for today. */
export function answerBudget(step: Step, option: 'raise' | 'today'): Step {
  const { budget, incident } = step.worker;
  const { open } = incident;
  if (budget.mark.kind !== 'spent' || open === null)
    return refuse(step, 'stale', 'The budget has room again: there is nothing to allow');
  const { use } = budget.mark;
  const allowed = { ...budget.allowed, [use.scope]: leaveFor(use, option, budget.dayEndsAt) };
  const raised = set(step, { budget: setMark({ ...budget, allowed }, { kind: 'open' }) });
  return tryAgain(closeQuestion(raised, 'resolved', option), open);
}

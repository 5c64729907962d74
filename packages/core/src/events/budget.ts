/**
 * Keeps the budgets of tasks outside of runs, of workers, projects and days: an agent is told near the end, and interrupted at the end, with one
 * turn to report. Then a person is asked. The budgets of a run are kept by `run/steps/budgets.ts`, with the same shares.
 */
import { record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { RETURN_TEXT } from '../policy/texts.ts';
import { closeQuestion } from '../recovery/close-question.ts';
import { giveUp } from '../recovery/ladder.ts';
import { sendText } from '../recovery/mail.ts';
import { tryAgain } from '../requests/resume.ts';
import { interruptTurn } from '../requests/run.ts';
import { allow, mostSpent, noteDay, setMark, spentWords } from '../worker/budget.ts';
import type { BudgetMark, BudgetUse } from '../worker/budget.ts';
import type { WorkerEvent } from '../worker/event.ts';
import { newText } from '../worker/mailbox.ts';
import { isBusy } from '../worker/status.ts';
import { inHand, runOf } from '../worker/task.ts';
import type { Worker } from '../worker/worker.ts';

type Told = Extract<WorkerEvent, { kind: 'budget-told' }>;

/** Hears what is spent of each budget that the worker is under. */
export function budgetTold(step: Step, { uses, dayEndsAt }: Told): Step {
  const known = set(step, { budget: noteDay(step.worker.budget, dayEndsAt) });
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
  if (part >= 1) return before.kind !== 'spent' && (before.kind !== 'handing-back' || before.until <= now);
  return part >= nearShare ? before.kind !== 'near' : before.kind !== 'open';
}

function mark(step: Step, next: BudgetMark): Step {
  return set(step, { budget: setMark(step.worker.budget, next) });
}

function tellNear(step: Step, { scope, words }: BudgetUse, part: number): Step {
  const { worker } = step;
  const left = Math.max(0, Math.round((1 - part) * 100));
  const said = `${left} % of the budget of the ${scope} is left (${words})`;
  const near = record(mark(rule(step, 'budget:near'), { kind: 'near' }), { kind: 'notice', text: said });
  if (!hasOwnTurn(worker)) return near;
  return sendText(near, newText(step.ctx.fresh, 'message', `${said}: finish, or commit and report what you have.`));
}

/** Tells whether the agent is in a turn for a task of its own. */
function hasOwnTurn({ lifecycle, task, turn }: Worker): boolean {
  const isOwn = inHand(task) !== null && runOf(task) === null && !lifecycle.takenOver;
  return isOwn && isBusy(lifecycle.status) && turn.phase.kind !== 'none';
}

function spend(step: Step, use: BudgetUse): Step {
  const { worker, ctx } = step;
  const { mark: before } = worker.budget;
  if (before.kind === 'spent') return mark(step, { kind: 'spent', use });
  if (before.kind === 'handing-back' && ctx.now < before.until) return step;
  const told = record(rule(step, 'budget:spent'), { kind: 'notice', text: spentWords(use) });
  if (!hasOwnTurn(worker)) return mark(told, { kind: 'spent', use });
  const stopped = interruptTurn(told);
  if (before.kind === 'handing-back') return mark(stopped, { kind: 'spent', use });
  const until = ctx.now + ctx.policy.run.handBackMs;
  return sendText(mark(stopped, { kind: 'handing-back', use, until }), newText(ctx.fresh, 'rejection', RETURN_TEXT));
}

/** Goes on by itself once there is room again: on the next day, or with a greater budget. */
function reopen(step: Step): Step {
  const { open } = step.worker.incident;
  const opened = mark(rule(step, 'budget:open'), { kind: 'open' });
  if (open?.code !== 'BUDGET_SPENT' || !open.escalated) return opened;
  return tryAgain(closeQuestion(opened, 'resolved'), open);
}

/** Ends the turn that hands back; null: there is none. */
export function endHandBack(step: Step): Step | null {
  const { mark: before } = step.worker.budget;
  return before.kind === 'handing-back' ? mark(step, { kind: 'spent', use: before.use }) : null;
}

/** Asks a person before anything more is typed to a worker whose budget is spent. The task of a run is its run's. */
export function askAtBudget(step: Step): Step {
  const { budget, lifecycle, task, incident, merge, checkpoint } = step.worker;
  // Checks of finished work, and a return to a checkpoint, cost nothing.
  if (merge.step.kind === 'reviewing' || checkpoint.restore !== null) return step;
  if (budget.mark.kind !== 'spent' || inHand(task) === null || runOf(task) !== null) return step;
  if (!isBusy(lifecycle.status) || lifecycle.takenOver || incident.open?.escalated === true) return step;
  return giveUp(rule(step, 'budget:asks'), { code: 'BUDGET_SPENT', why: spentWords(budget.mark.use) });
}

/** Part of a budget by which an answer raises it. */
const RAISE = 0.5;

/** Applies a person's answer: more of this budget, or no limit for today. */
export function answerBudget(step: Step, option: 'raise' | 'today'): Step {
  const { budget, incident } = step.worker;
  const { open } = incident;
  if (budget.mark.kind !== 'spent' || open === null) return step;
  const { scope, share } = budget.mark.use;
  const allowance =
    option === 'raise'
      ? { share: share + RAISE, until: scope === 'day' ? budget.dayEndsAt : null }
      : { share: null, until: budget.dayEndsAt };
  const allowed = set(step, { budget: allow(budget, scope, allowance) });
  return tryAgain(closeQuestion(allowed, 'resolved', option), open);
}

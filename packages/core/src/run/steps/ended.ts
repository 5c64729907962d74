/** Judges the end of an item's task. What a worker says of an earlier attempt, or of an item that it does not have, changes nothing (W5, W13). */
import { isErrorCode } from '../../taxonomy/codes.ts';
import { findItem, itemOf, planOf, stageName, unique } from '../find.ts';
import { answerProblems, resultProblems } from '../result-rules.ts';
import type { TaskResult } from '../result.ts';
import type { AfterPin, Item } from '../run.ts';
import { ignore, nextRequest, record, request, rule, setItem, settleItem } from '../step.ts';
import type { RunStep } from '../step.ts';
import type { TaskEnd, TaskEnded } from '../task.ts';
import { checksOf, requestCheck } from './drive.ts';
import { awaitBudget } from './above.ts';
import { awaitAnswer, hasAsked } from './asked.ts';
import { afterHandBack } from './budgets.ts';
import { askAboutLoss, failAttempt, isFreeCode } from './failing.ts';
import type { Failure } from './failing.ts';
import { judgeReview, noteAnswers, openFindings } from './review.ts';

export function taskEnded(step: RunStep, event: TaskEnded): RunStep {
  const { end, workerId } = event;
  const item = findItem(step.run, event.item);
  if (item === null) return ignore(step, 'task-ended', `The run has no item "${event.item}".`);
  const { progress, worker } = item;
  const isOwn = worker === null ? progress.kind === 'placing' : worker.workerId === workerId;
  if (!isOwn || event.attempt !== item.attempt)
    return ignore(step, 'task-ended', `Attempt ${event.attempt} of ${item.name} is over.`);
  if (progress.kind !== 'running' && progress.kind !== 'placing') return whileHolding(step, item, end);
  // The end of a task may be heard before the word that it was placed.
  const had = worker ?? { workerId, profile: '', name: '', account: null };
  const heard = setItem(rule(step, `task-ended:${end.kind}`), item.name, { worker: had });
  if (progress.kind === 'running' && progress.handBackUntil !== null) return handedBack(heard, item.name, end);
  switch (end.kind) {
    case 'result':
      return judged(heard, itemOf(heard.run, item.name), end);
    case 'no-result':
      return afterPin(heard, item.name, { commit: end.commit, next: { ...invalid(end.problem), kind: 'fail' } });
    case 'failed':
      return afterPin(heard, item.name, {
        commit: end.commit,
        next: {
          kind: 'fail',
          code: isErrorCode(end.code) ? end.code : 'STAGE_FAILED',
          problem: end.problem,
          isFree: isFreeCode(end.code),
        },
      });
    case 'taken-away':
      return afterPin(heard, item.name, { commit: end.commit, next: { kind: 'taken-away', by: end.by } });
  }
}

/** Hears of a worker that waits for the next turn: a person may take it away, or it may fail. */
function whileHolding(step: RunStep, item: Item, end: TaskEnd): RunStep {
  if (end.kind === 'result' || end.kind === 'no-result' || item.progress.kind === 'pinning')
    return ignore(step, 'task-ended', `The end of attempt ${item.attempt} of ${item.name} is known.`);
  return setItem(rule(step, 'holder-lost'), item.name, { worker: null, unkept: null });
}

function invalid(problem: string): {
  readonly code: 'AGENT_INVALID_OUTPUT';
  readonly problem: string;
  readonly isFree: false;
} {
  return { code: 'AGENT_INVALID_OUTPUT', problem, isFree: false };
}

/** Keeps what an agent handed back at the end of its budget. */
function handedBack(step: RunStep, name: string, end: TaskEnd): RunStep {
  if (end.kind === 'taken-away')
    return afterPin(step, name, { commit: end.commit, next: { kind: 'taken-away', by: end.by } });
  const next = afterHandBack(step.run, name, end.kind === 'failed');
  const isValid = end.kind === 'result' && resultProblems(end.result, itemOf(step.run, name).returns).length === 0;
  const kept = isValid && next.kind === 'over-budget' ? keepResult(step, name, end.result) : step;
  return pin(kept, name, { commit: null, next });
}

function keepResult(step: RunStep, name: string, result: TaskResult): RunStep {
  const { summary, report, parts } = result;
  const { output } = itemOf(step.run, name);
  // Findings and words of people are done with once there is a result, not when they were handed out: the agent may fail.
  return setItem(step, name, { result, words: '', output: { ...output, summary, report, parts } });
}

function judged(step: RunStep, item: Item, end: Extract<TaskEnd, { kind: 'result' }>): RunStep {
  const { result, commit } = end;
  const [problem] = problemsOf(step, item, end);
  const { name } = item;
  if (problem !== undefined)
    return afterPin(step, name, { commit: commit, next: { kind: 'fail', ...invalid(problem) } });
  if (result.verdict === 'blocked' && hasAsked(step.run, name))
    return afterPin(setItem(step, name, { words: '' }), name, {
      commit,
      next: { kind: 'await-answer', problem: result.summary },
    });
  if (result.verdict === 'blocked')
    return afterPin(step, name, {
      commit: commit,
      next: {
        kind: 'fail',
        code: 'AGENT_BLOCKED',
        problem: result.summary,
        isFree: false,
      },
    });
  return afterPin(keepResult(step, name, result), name, { commit: commit, next: { kind: 'judge' } });
}

/** Says why a result counts for nothing (W2). */
function problemsOf(
  step: RunStep,
  item: Item,
  { result, commit }: Extract<TaskEnd, { kind: 'result' }>,
): readonly string[] {
  const problems = [...resultProblems(result, item.returns)];
  if (item.returns === 'review') {
    if (commit !== null) problems.push('a reviewer must leave the worktree as it was, and HEAD has moved');
    return problems;
  }
  problems.push(...answerProblems(result, openFindings(step, stageName(item.name))));
  const hasReason = result.answers.some(({ did }) => did === 'declined');
  if (item.returns === 'commit' && result.verdict === 'done' && commit === null && !hasReason)
    problems.push('expected a new commit; HEAD has not moved');
  return problems;
}

/** Pins a commit before anything follows (W7). */
function afterPin(step: RunStep, name: string, { commit, next }: Pick<Pinning, 'commit' | 'next'>): RunStep {
  return commit === null ? follow(step, name, next) : pin(step, name, { commit, next });
}

interface Pinning {
  readonly commit: string | null;
  readonly next: AfterPin;
  readonly tries?: number;
}

/** Orders a commit to be kept; null: ends the turn and keeps what is there. */
export function pin(step: RunStep, name: string, { commit, next, tries = 0 }: Pinning): RunStep {
  const { worker, progress: before } = itemOf(step.run, name);
  if (worker === null) return follow(step, name, next);
  const isAway = (before.kind === 'running' || before.kind === 'pinning') && before.isAway === true;
  const id = nextRequest(step);
  const ordered = request(step, { kind: 'pin', item: name, workerId: worker.workerId, commit });
  return setItem(ordered, name, {
    progress: { kind: 'pinning', request: id, commit, next, retryAt: null, tries, ...(isAway && { isAway }) },
  });
}

/** Goes on without a commit that cannot be kept. Its worker saves it when it is freed. */
export function notKept(step: RunStep, name: string, failure: Failure & { readonly next: AfterPin }): RunStep {
  const { next, code, problem } = failure;
  if (next.kind === 'await-budget') return awaitBudget(step, name, true);
  if (next.kind !== 'over-budget' && next.kind !== 'stop') return failAttempt(step, name, failure);
  // The worker keeps its work: nothing but a person's word takes it away.
  return settleItem(record(step, { kind: 'error', code, item: name, problem }), name, { as: 'failed', why: problem });
}

/** Notes the pinned commit, and goes on. */
export function pinned(
  step: RunStep,
  item: Item,
  kept: { readonly commit: string | null; readonly tree: string | null },
): RunStep {
  if (item.progress.kind !== 'pinning') return step;
  const { name, output, worker, authors } = item;
  const { next } = item.progress;
  if (kept.commit === null || item.returns === 'review') return follow(step, name, next);
  const author = worker === null ? [] : [{ workerId: worker.workerId, profile: worker.profile }];
  const noted = setItem(step, name, {
    output: { ...output, commit: kept.commit, tree: kept.tree },
    authors: unique([...authors.filter(({ workerId }) => workerId !== worker?.workerId), ...author]),
  });
  return follow(noted, name, next);
}

/** Goes on after an item's commit is safe, or there is none. */
export function follow(step: RunStep, name: string, next: AfterPin): RunStep {
  const item = itemOf(step.run, name);
  switch (next.kind) {
    case 'judge':
      return judge(step, item);
    case 'fail':
      return failAttempt(step, name, { ...next, words: null });
    case 'over-budget':
      return settleItem(step, name, { as: 'over-budget', why: 'The budget is spent.' });
    case 'await-budget':
      return awaitBudget(step, name, next.isLate);
    case 'await-answer':
      return awaitAnswer(step, name, next.problem);
    case 'taken-away': {
      const taken = setItem(step, name, { worker: null, from: item.output.commit ?? item.from });
      const why = `${next.by} took the task away from its worker.`;
      if (step.run.ending !== null) return settleItem(taken, name, { as: 'failed', why });
      return askAboutLoss(record(taken, { kind: 'notice', text: `${name}: ${why}` }), name, why);
    }
    case 'stop': {
      const as = item.output.commit === null ? 'skipped' : 'partial';
      return settleItem(step, name, { as, why: step.run.ending?.why ?? 'The run was stopped.' });
    }
  }
}

function judge(step: RunStep, item: Item): RunStep {
  const { name, result, output } = item;
  const plan = planOf(step.run, stageName(name));
  if (result === null) return settleItem(step, name, { as: 'failed', why: 'There is no result.' });
  if (plan.kind === 'review') return judgeReview(step, name, result);
  const answered = noteAnswers(step, name, result);
  if (output.commit !== null && checksOf(plan, item) !== null) return requestCheck(answered, item);
  return settleItem(answered, name, { as: 'passed', why: result.summary });
}

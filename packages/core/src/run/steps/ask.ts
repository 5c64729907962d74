/** Asks people, and takes back questions that have nothing left to answer. */
import { findItem, stageName, stageOf } from '../find.ts';
import type { RunOption, RunOptionName, RunQuestion } from '../request.ts';
import type { Progress, Run } from '../run.ts';
import { change, nextRequest, request } from '../step.ts';
import type { RunStep } from '../step.ts';

const OPTIONS: Readonly<Record<RunOptionName, string>> = {
  start: 'Yes: go on with it.',
  edit: 'Change it; it is shown once more.',
  revise: 'Send it back with your words.',
  stop: 'Stop the run. What it has made is kept.',
  accept: 'Merge this commit.',
  author: 'The author is right: drop the finding.',
  reviewer: 'The reviewer is right: the author must fix it.',
  again: 'Try once more.',
  without: 'Go on without it.',
  'go-on': 'Go on: let the others begin.',
  use: 'Use what is there. Its merge asks you again.',
  reply: 'Answer with your words.',
  raise: 'Let this run spend half of the budget more.',
  today: 'Let this run go on today without this limit.',
};

type Question = Partial<RunQuestion> & Pick<RunQuestion, 'about' | 'item' | 'text'>;

/** Asks a person; one question for each subject at a time. */
export function ask(step: RunStep, question: Question, options: readonly RunOptionName[]): RunStep {
  const { questions } = step.run;
  if (questions.some(({ about, item }) => about === question.about && item === question.item)) return step;
  const asked: RunQuestion = {
    commit: null,
    parts: null,
    report: '',
    who: 'operator',
    ...question,
    id: nextRequest(step),
    options: options.map((option): RunOption => ({ option, text: OPTIONS[option] })),
  };
  return change(request(step, { kind: 'ask', question: asked }), { questions: [...questions, asked] });
}

/** Forgets a question that was answered, or is moot. */
export function forget(step: RunStep, { id }: RunQuestion): RunStep {
  return change(step, { questions: step.run.questions.filter((one) => one.id !== id) });
}

/** Takes back questions about something that no longer waits for a person. */
export function withdrawMoot(step: RunStep): RunStep {
  return step.run.questions
    .filter((question) => isMoot(step, question))
    .reduce((so, question) => request(forget(so, question), { kind: 'withdraw', question: question.id }), step);
}

function isMoot({ run }: RunStep, { about, item }: RunQuestion): boolean {
  if (run.ending !== null) return true;
  const stage = stageOf(run, stageName(item));
  if (about === 'hold' || about === 'over-budget') return stage.settled !== null;
  // Work that is being placed again may find the budget still spent.
  if (about === 'budget')
    return !stage.items.some(({ progress }) => progress.kind === 'placing' || isForBudget(progress));
  if (about === 'agent') return !awaitsAnswer(run, item);
  const progress = findItem(run, item)?.progress;
  return progress?.kind !== 'waiting' || progress.on !== 'person';
}

function isForBudget(progress: Progress): boolean {
  return progress.kind === 'waiting' && progress.on === 'budget';
}

/** Tells whether an answer to the agent of an item can still reach it. */
function awaitsAnswer(run: Run, name: string): boolean {
  const progress = findItem(run, name)?.progress;
  if (progress?.kind === 'running') return progress.handBackUntil === null;
  if (progress?.kind === 'pinning') return progress.next.kind === 'await-answer';
  const isAskedElse = run.questions.some(({ about, item }) => about !== 'agent' && item === name);
  return progress?.kind === 'waiting' && progress.on === 'person' && !isAskedElse;
}

/** Does what people say: answers to questions, pause, resume, stop. */
import type { PersonActed, RunAnswered } from '../event.ts';
import { itemOf, outputOf, planOf, stageName } from '../find.ts';
import type { RunQuestion } from '../request.ts';
import { partsProblems } from '../result-rules.ts';
import { change, ignore, record, refuse, request, rule, setItem, setStage, settleItem, wait } from '../step.ts';
import type { RunStep } from '../step.ts';
import { partsText } from '../texts.ts';
import { isOver } from '../run.ts';
import { answerBudget } from './above.ts';
import { requestAccept } from './drive.ts';
import { forget } from './ask.ts';
import { answerAgent } from './asked.ts';
import { pin } from './ended.ts';
import { end } from './ending.ts';
import { sendBack, settleQuarrel } from './review.ts';

/** Applies an answer to its question, once. */
export function answered(step: RunStep, event: RunAnswered): RunStep {
  const question = step.run.questions.find(({ id }) => id === event.question);
  if (question === undefined) return refuse(step, 'no-question', 'That question is answered, or was taken back.');
  const names = question.options.map(({ option }) => option);
  const option = names.find((name) => name === event.option);
  if (option === undefined)
    return refuse(step, 'option', `"${event.option}" is no answer to it: say ${names.join(', ')}.`);
  if (question.commit !== null && event.commit !== question.commit)
    return refuse(step, 'other-commit', `The question is about commit ${question.commit}: look at that one first.`);
  const { id, by, words } = { ...event, id: question.id };
  const told = record(rule(step, `answered:${option}`), { kind: 'answered', question: id, option, by, words });
  if (option === 'stop') return stop(forget(told, question), by);
  switch (question.about) {
    case 'agent':
      return answerAgent(told, question, event);
    case 'gate':
      return answerGate(told, question, event);
    case 'accept':
      return requestAccept(forget(told, question), question, { by, lost: 0 });
    case 'declined':
      return settleQuarrel(forget(told, question), question.item, option === 'author' ? 'author' : 'reviewer');
    case 'lost':
      return answerLoss(forget(told, question), question.item, option === 'again' ? 'again' : 'without');
    case 'hold': {
      const stage = step.run.stages.find(({ name }) => name === question.item);
      const heldFor = stage?.heldFor == null ? null : { ...stage.heldFor, isAllowed: true };
      return setStage(forget(told, question), question.item, { heldFor });
    }
    case 'budget':
      return answerBudget(told, question, event);
    case 'over-budget':
      return setStage(forget(told, question), question.item, {
        settled: { as: 'partial', why: `${by} uses what is there.`, code: null },
        items: usedItems(step, question.item),
      });
  }
}

/** Lets later stages use what a stage has made within its budget. */
function usedItems({ run }: RunStep, stage: string): ReturnType<typeof itemOf>[] {
  const items = run.stages.find(({ name }) => name === stage)?.items ?? [];
  return items.map((item) => {
    const { progress, output } = item;
    const hasWork = output.commit !== null || output.report !== '' || output.parts.length > 0;
    return progress.kind === 'settled' && progress.as === 'over-budget' && hasWork
      ? { ...item, progress: { ...progress, as: 'partial' as const } }
      : item;
  });
}

function answerGate(step: RunStep, question: RunQuestion, event: RunAnswered): RunStep {
  const plan = planOf(step.run, stageName(question.item));
  if (plan.kind !== 'gate') return step;
  if (event.option === 'edit') return editOutput(step, { question, event, of: plan.of });
  const done = forget(step, question);
  if (event.option === 'revise') {
    if (event.words.trim() === '') return refuse(step, 'words', 'Say what is to change.');
    const was = partsText(outputOf(step.run, plan.of).parts);
    const words = [
      `A person looked at the result, and says:\n${event.words}`,
      ...(was === '' ? [] : [`The plan was:\n${was}`]),
    ];
    return sendBackAny(done, plan.of, words.join('\n\n'));
  }
  const output = outputOf(step.run, plan.of);
  return settleItem(setItem(done, question.item, { output }), question.item, {
    as: 'passed',
    why: `${event.by} said yes.`,
  });
}

/** Sends all items of a stage back. */
function sendBackAny(step: RunStep, stage: string, words: string): RunStep {
  const items = step.run.stages.find(({ name }) => name === stage)?.items ?? [];
  return items.some(({ name }) => name === stage) ? sendBack(step, stage, words) : step;
}

/** Replaces an output by a person's, which is shown once more. */
function editOutput(
  step: RunStep,
  { question, event, of }: { readonly question: RunQuestion; readonly event: RunAnswered; readonly of: string },
): RunStep {
  const item = itemOf(step.run, of);
  const { output } = item;
  const isPlan = output.parts.length > 0;
  const problems = isPlan
    ? partsProblems(event.parts ?? [])
    : event.words.trim() === ''
      ? ['report: expected a text']
      : [];
  if (problems.length > 0) return refuse(step, 'edit', problems.join('\n'));
  const after = isPlan ? (event.parts ?? []) : output.parts;
  const report = isPlan ? output.report : event.words;
  const edited = setItem(forget(step, question), of, { output: { ...output, parts: after, report } });
  const told = record(edited, { kind: 'edited', item: of, by: event.by, before: output.parts, after });
  const taken = request(told, { kind: 'withdraw', question: question.id });
  return wait(taken, question.item, { on: 'turn', why: `${event.by} edited it.` });
}

function answerLoss(step: RunStep, name: string, option: 'again' | 'without'): RunStep {
  const { result, output, worker, unkept } = itemOf(step.run, name);
  const renewed = setItem(step, name, { triesSpent: 0, freeTries: 0, placeTries: 0, routingTries: 0, unkept: null });
  if (option === 'without') return settleItem(renewed, name, { as: 'skipped', why: 'A person goes on without it.' });
  if (worker !== null && unkept != null) return pin(renewed, name, unkept);
  const on = result !== null && output.commit !== null ? 'check' : 'turn';
  return wait(renewed, name, { on, why: 'A person lets it try again.', retryAt: step.ctx.now });
}

/** Ends the run for a person, who waits for it: an end under way goes on, and waits no longer for machines that are away. */
function stop(step: RunStep, by: string): RunStep {
  const { ending } = step.run;
  const stoppedAt = step.ctx.now;
  if (ending !== null) return change(step, { ending: { ...ending, stoppedAt } });
  return end(step, { as: 'stopped', why: `${by} stopped it.`, code: null, stoppedAt });
}

export function personActed(step: RunStep, { act, by }: PersonActed): RunStep {
  const { run, ctx } = step;
  if (isOver(run)) return refuse(step, 'over', 'The run has ended: drover run retry begins another.');
  if (act === 'stop')
    return run.ending?.stoppedAt === undefined ? stop(rule(step, 'stop'), by) : ignore(step, 'stop', 'It was stopped.');
  if (run.ending !== null) return refuse(step, 'ending', 'The run is ending.');
  if (act === 'pause')
    return run.paused === null
      ? change(rule(step, 'pause'), { paused: { by, since: ctx.now } })
      : ignore(step, 'pause', 'The run is paused.');
  return run.paused === null
    ? ignore(step, 'resume', 'The run is not paused.')
    : change(rule(step, 'resume'), { paused: null });
}

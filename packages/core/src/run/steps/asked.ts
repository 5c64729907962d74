/** Brings questions of agents to a person, and the answers back: to an agent at work as a message, to one that waits as its next turn. */
import type { AgentAsked, RunAnswered } from '../event.ts';
import { allItems, findItem, itemOf } from '../find.ts';
import type { RunQuestion } from '../request.ts';
import type { Run } from '../run.ts';
import { refuse, request, rule, setItem, wait } from '../step.ts';
import type { RunStep } from '../step.ts';
import { ask, forget } from './ask.ts';

/** Asks a person for the agent that has the task. Its words grant nothing (W13). */
export function agentAsked(step: RunStep, { item: name, attempt, workerId, name: worker, text }: AgentAsked): RunStep {
  const item = findItem(step.run, name);
  const isAtIt = item?.progress.kind === 'running' && item.progress.handBackUntil === null;
  if (!isAtIt || item.attempt !== attempt || item.worker?.workerId !== workerId)
    return refuse(step, 'no-task', 'Your task is over: put what is open into your result.');
  if (questionOf(step.run, name) !== null)
    return refuse(step, 'asked', 'Your last question is still open: its answer comes as a message.');
  return ask(
    rule(step, 'agent-asked'),
    { about: 'agent', item: name, text: `${worker} asks: ${text}`, who: 'responder' },
    ['reply', 'stop'],
  );
}

function questionOf({ questions }: Run, name: string): RunQuestion | null {
  return questions.find(({ about, item }) => about === 'agent' && item === name) ?? null;
}

/** Tells whether the agent of an item has asked a person and has no answer yet. */
export function hasAsked(run: Run, name: string): boolean {
  return questionOf(run, name) !== null;
}

/** Gives a person's words to the agent that asked. */
export function answerAgent(step: RunStep, question: RunQuestion, { by, words }: RunAnswered): RunStep {
  if (words.trim() === '') return refuse(step, 'words', 'Say what the agent shall know.');
  const { item: name } = question;
  const { progress, worker, attempt, returns, words: before } = itemOf(step.run, name);
  const text = `You asked a person. ${by} answers:\n${quoteWords(words)}`;
  const answered = forget(step, question);
  if (progress.kind === 'running' && worker !== null) {
    const item = { runId: step.run.terms.id, item: name, attempt, returns };
    return request(answered, { kind: 'tell', workerId: worker.workerId, item, text, from: by });
  }
  const noted = setItem(answered, name, { words: [before, text].filter((one) => one !== '').join('\n\n') });
  return progress.kind === 'waiting' ? goOn(noted, name) : noted;
}

/** Lets an agent that ended its turn wait for the answer; goes on if it came meanwhile. No try is spent. */
export function awaitAnswer(step: RunStep, name: string, problem: string): RunStep {
  const { words, from, output } = itemOf(step.run, name);
  const kept = setItem(step, name, { from: output.commit ?? from });
  if (!hasAsked(step.run, name)) return goOn(kept, name);
  const said = `You ended your turn with: ${problem}`;
  return wait(setItem(kept, name, { words: words === '' ? said : words }), name, {
    on: 'person',
    why: `Its agent waits for an answer: ${problem}`,
  });
}

function goOn(step: RunStep, name: string): RunStep {
  return wait(step, name, { on: 'turn', why: 'A person has answered its agent.' });
}

/** Tells an agent at work that its message did not arrive (W12). */
export function messageLost(
  step: RunStep,
  { from, to, why }: { readonly from: string; readonly to: string; readonly why: string },
): RunStep {
  const sender = allItems(step.run).find(
    ({ worker, progress }) => worker?.name === from && progress.kind === 'running',
  );
  if (sender?.worker == null) return rule(step, 'message-lost');
  const { name, attempt, returns, worker } = sender;
  const item = { runId: step.run.terms.id, item: name, attempt, returns };
  const text = `Your message to ${to} did not arrive: ${why}. Put what matters into your result.`;
  return request(rule(step, 'message-lost'), { kind: 'tell', workerId: worker.workerId, item, text, from: null });
}

function quoteWords(words: string): string {
  return words
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

// Checks that the agent comes up, and that every text reaches the model whole and once.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Program } from '@drover/real-agents';
import { arrivalOf, type Arrival, type Sample } from '../samples.ts';
import { isAlive } from '../../fleet/processes.ts';
import { HISTORY_MAX, type Finding, type Trial } from '../trial.ts';

/** Words of the model where it is told to say something. */
const ANSWER = 'Hello from the model. This is the whole answer.';

/**
 * Starts the worker: the dialogs of the start are Drover's own affair. Seconds count from the command that opens the pane until the program is
 * ready, and for how long dialogs stood meanwhile.
 */
export async function comesUp(trial: Trial): Promise<Finding> {
  const { model, fleet } = trial.site;
  const before = model.exchanges.length;
  const shown: number[] = [];
  const view = await trial.comesUp(({ screen }) => {
    if (screen === 'dialog') shown.push(performance.now());
  });
  const { history } = await fleet.why(trial.worker, HISTORY_MAX);
  const at = (name: string): number => history.find(({ rules }) => rules.includes(name))?.at ?? Number.NaN;
  const stood = (shown.at(-1) ?? 0) - (shown[0] ?? 0);
  const ends = history.flatMap(({ rules }) => rules).filter((rule) => rule.startsWith('exit:')).length;
  return {
    believed: `${view.status}, ${view.screen} after ${seconds(at('came-up') - at('command:open'))}; dialogs: ${shown.length === 0 ? 'none seen' : `stood for ${seconds(stood)}`}`,
    truth: `its program runs and was ended ${ends} times, the model was asked ${model.exchanges.length - before} times`,
    ok: model.exchanges.length === before && ends === 0 && isAlive(await trial.site.pid(trial.worker)),
  };
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** Gives a task: preamble and prompt in one text. */
export async function takesTask(trial: Trial, program: Program): Promise<Finding> {
  const { fleet, model } = trial.site;
  const prompt = 'SAY what you see.\nThis is the second line.';
  await fleet.start(trial.worker, prompt);
  const view = await trial.rests('needs_input');
  const [receipt] = (await fleet.why(trial.worker)).receipts;
  const texts = model.exchanges.flatMap(({ asked }) => asked.texts);
  const first = texts.find((text) => text.startsWith('You are working in:')) ?? '';
  const arrival = arrivalOf(`${first.slice(0, first.indexOf(prompt))}${prompt}`, texts);
  const isWhole = arrival.kind === 'verbatim' || (arrival.kind === 'altered' && arrival.how in program.alters);
  const how = arrival.kind === 'altered' ? `altered (${arrival.how})` : arrival.kind;
  const times = model.exchanges.length;
  return {
    believed: `${receipt?.outcome ?? 'no receipt'}, then ${view.status} (${view.note})`,
    truth: `asked ${times} time(s), ${how}`,
    ok: receipt?.outcome === 'delivered' && times === 1 && isWhole,
  };
}

/** Drover says which account pays and what is left of it, as the service told the program with its answers. */
export async function tellsLeft(trial: Trial): Promise<Finding> {
  const left = '58 % of the 5 h limit is left';
  const pays = await trial.knows('what is left', async () =>
    (await trial.site.fleet.why(trial.worker)).about.find((words) => words.includes(left)),
  );
  return {
    believed: pays,
    truth: 'the service told 42 % of 5 h and 17 % of 7 d',
    ok: pays.includes('83 % of the 7 d'),
  };
}

/** Replaces the worker by a new one that has taken a task and waits for words. */
export async function renew(trial: Trial): Promise<void> {
  const { fleet } = trial.site;
  await trial.replaced();
  const before = trial.site.model.exchanges.length;
  await fleet.start(trial.worker, 'SAY that you are ready.');
  await trial.knows('its first answer', (all) => (all[before]?.ended === 'answered' ? true : undefined));
  await trial.rests('needs_input');
}

/** Checks that `drover logs --conversation` shows a prompt, and after it the answer. */
export async function tellsConversation(trial: Trial): Promise<Finding> {
  const prompt = 'SAY what is recorded';
  await trial.tell(prompt);
  await trial.rests('needs_input');
  const told = await trial.knows('the record of the answer', async () => {
    const [, after] = (await trial.site.conversation(trial.worker)).split(prompt);
    return after?.includes(ANSWER) === true ? after : undefined;
  });
  return {
    believed: `the prompt, then: ${told.trim().replaceAll(/\s+/gu, ' ')}`,
    truth: `the model answered: ${ANSWER}`,
    ok: true,
  };
}

/** A person begins a new conversation by `/clear`: what is shown from then on is of that one. */
export async function tellsCleared(trial: Trial): Promise<Finding> {
  const [former, prompt] = ['SAY what was before', 'SAY what came after'];
  await trial.tell(former);
  await trial.rests('needs_input');
  await trial.site.press(trial.worker, ['/clear', 'Enter']);
  const { receipt } = await trial.tell(prompt);
  await trial.rests('needs_input');
  const told = await trial.knows('the record of the new conversation', async () => {
    const all = await trial.site.conversation(trial.worker);
    return all.split(prompt)[1]?.includes(ANSWER) === true ? all : undefined;
  });
  return {
    believed: `${receipt?.outcome ?? 'refused'}; the new prompt and its answer${told.includes(former) ? ', after the former ones' : ''}`,
    truth: 'the conversation was cleared before that prompt',
    ok: !told.includes(former),
  };
}

/** Checks a text that the model was told to read from a file: reads the file if the model heard of that very file. */
async function arrivalByFile(
  text: string,
  { texts, file }: { texts: readonly string[]; file: string },
): Promise<Arrival> {
  const isNamed = texts.some((one) => one.includes(path.basename(file)));
  return isNamed ? arrivalOf(text, [await readFile(file, 'utf8').catch(() => '')]) : { kind: 'absent' };
}

/** Sends one text and compares it with what the model received. */
export async function takesText(trial: Trial, { text }: Sample, { alters }: Program): Promise<Finding> {
  const { receipt, before } = await trial.tell(text);
  const view = await trial.believes(
    'the turn is over, or the text was refused',
    ({ status, screen }) => (status === 'needs_input' && screen === 'ready') || status === 'error',
  );
  const received = trial.site.model.exchanges.slice(before);
  const texts = received.flatMap(({ asked }) => asked.texts);
  const file = /^file (\S+)/u.exec(receipt?.method ?? '')?.[1];
  const arrival = file === undefined ? arrivalOf(text, texts) : await arrivalByFile(text, { texts, file });
  const how = arrival.kind === 'altered' ? `altered (${arrival.how})` : arrival.kind;
  const isTrue = receipt?.outcome === 'delivered' ? arrival.kind !== 'absent' : arrival.kind === 'absent';
  const isWhole = arrival.kind === 'verbatim' || (arrival.kind === 'altered' && arrival.how in alters);
  const way = file === undefined ? receipt?.method : 'a file that a typed line names';
  return {
    believed:
      receipt === undefined ? `refused (${view.note})` : `${receipt.outcome} by ${way}, ${receipt.enters} Enter`,
    truth: `asked ${received.length} time(s), ${how}`,
    ok: isTrue && isWhole && received.length <= 1,
  };
}

/** Sends a text while a turn runs: the program keeps it, and the model gets it afterwards. */
export async function queues(trial: Trial): Promise<Finding> {
  const slow = await trial.tell('SLOW 6');
  await trial.believes('at work', ({ screen }) => screen === 'processing');
  const { receipt } = await trial.tell('SAY this was sent while you were at work');
  // A program may ask its model after the keys of the next text began, and end the turn before that text's receipt is here.
  const turn = trial.site.model.exchanges.slice(slow.before).find(({ keyword }) => keyword === 'SLOW');
  const [from, to] = [receipt?.steps[0]?.at ?? Date.now(), receipt?.steps.at(-1)?.at ?? Date.now()];
  const wasAtWork = turn !== undefined && turn.at <= to && (turn.endedAt ?? to) >= from;
  await trial.knows('the model got it', (all) => {
    const texts = all.slice(slow.before).flatMap(({ asked }) => asked.texts);
    return texts.includes('SAY this was sent while you were at work') ? true : undefined;
  });
  const view = await trial.rests('needs_input');
  const times = trial.site.model.exchanges.length - slow.before;
  return {
    believed: `${receipt?.outcome ?? 'refused'}, then ${view.status}`,
    truth: `${wasAtWork ? 'the model was at work then' : 'the turn had ended'}; asked ${times} times in all`,
    ok: receipt?.outcome === (wasAtWork ? 'queued' : 'delivered') && times === 2,
  };
}

// Checks that Drover sees how a turn ends: a dialog, a question, an error, an interruption.
import { access } from 'node:fs/promises';
import path from 'node:path';
import type { WorkerView } from '@drover/api';
import type { Program } from '@drover/real-agents';
import { HISTORY_MAX, type Finding, type Trial } from '../trial.ts';

/** Milliseconds in which a program that shows its retries has shown one. */
const SHOWN_MS = 10_000;
/** Milliseconds in which a turn that is over is judged: the policy waits half a second, then asks for a check. */
const JUDGED_MS = 5_000;

/** A command needs permission, and a person gives it. */
export async function permissionGiven(trial: Trial, { keys }: Program): Promise<Finding> {
  const file = path.join(await trial.site.worktree(trial.worker), 'allowed.txt');
  const { before } = await trial.tell('BASH touch allowed.txt');
  const asks = await trial.believes('asks for permission', ({ screen }) => screen === 'permission');
  const asked = await trial.believes('needs input', ({ status }) => status === 'needs_input');
  const wasThere = await exists(file);
  const pending = trial.site.model.exchanges.slice(before).length;
  await trial.press(keys.allow, ({ screen }) => screen === 'permission');
  await trial.knows('the command ran', (all) => (all.slice(before).some(hasResult) ? true : undefined));
  const view = await judged(trial);
  return {
    believed: `${asks.screen}, ${asked.status} (${asked.note}); then ${view.screen} (${view.note})`,
    truth: `waited with ${pending} request, then the command ran: ${await exists(file)}`,
    ok: !wasThere && (await exists(file)) && asked.note.includes('touch allowed.txt') && isSettled(view.note),
  };
}

/** A command needs permission, and a person gives it from a telephone. */
export async function permissionFromPhone(trial: Trial): Promise<Finding> {
  const { telegram } = trial.site;
  const file = path.join(await trial.site.worktree(trial.worker), 'phone.txt');
  await trial.site.link();
  const { before } = await trial.tell('BASH touch phone.txt');
  const card = await trial.knows('the card', () =>
    telegram.seen().find(({ text }) => text.includes('touch phone.txt')),
  );
  const [allow = ''] = card.labels;
  const wasThere = await exists(file);
  const press = telegram.press(card.ref, allow);
  await trial.knows('the command ran', (all) => (all.slice(before).some(hasResult) ? true : undefined));
  const told = await trial.knows('what was told', () => press.told() ?? undefined);
  const end = await trial.knows('the corrected card', () =>
    telegram.seen().find(({ ref, text }) => ref === card.ref && text.includes('The worker has it.')),
  );
  const view = await judged(trial);
  return {
    believed: `asked in the chat with [${card.labels.join('] [')}]; told: ${told}; then ${view.screen} (${view.note})`,
    truth: `${allow} was pressed, then the command ran: ${await exists(file)}; the card: ${end.text.split('\n').at(-1) ?? ''}`,
    ok: !wasThere && (await exists(file)) && end.labels.length === 0 && told.startsWith('Your answer counts'),
  };
}

/** A command needs permission, and a person refuses it. */
export async function permissionRefused(trial: Trial, { keys }: Program): Promise<Finding> {
  const file = path.join(await trial.site.worktree(trial.worker), 'refused.txt');
  await trial.tell('BASH touch refused.txt');
  await trial.believes(
    'asks for permission',
    ({ screen, status }) => screen === 'permission' && status === 'needs_input',
  );
  await trial.press(keys.deny, ({ screen }) => screen === 'permission');
  const view = await judged(trial);
  return {
    believed: `permission, then ${view.screen} (${view.note})`,
    truth: `the command ran: ${await exists(file)}; the model is ${trial.site.model.isAtWork ? 'at work' : 'not asked'}`,
    ok: !(await exists(file)) && !trial.site.model.isAtWork && isSettled(view.note),
  };
}

/** The agent lets its user choose, who answers from afar by the words of the second option. */
export async function question(trial: Trial): Promise<Finding> {
  const { fleet } = trial.site;
  const { before } = await trial.tell('ASK');
  const asks = await trial.believes(
    'asks a question',
    ({ screen, status }) => screen === 'question' && status === 'needs_input',
  );
  const asked = await trial.knows('the question', async () => (await fleet.questions(trial.worker))[0]);
  const option = asked.question.options[1]?.id ?? '';
  await fleet.answer(asked, option);
  await trial.knows('the choice', (all) => (all.slice(before).some(hasResult) ? true : undefined));
  const view = await trial.rests('needs_input');
  return {
    believed: `${asks.screen} (${asks.note}), answered with "${option}", then ${view.screen}`,
    truth: 'the tool that asks was called, then the model got the choice',
    ok: asks.note.includes('database') && option !== '',
  };
}

/** The answer ends in a question. */
export async function askedInWords(trial: Trial): Promise<Finding> {
  await trial.tell('QUESTION');
  const view = await trial.rests('needs_input');
  return {
    believed: `${view.status} (${view.note})`,
    truth: 'the answer ended in a question',
    ok: view.note === 'stopped with a question',
  };
}

/** The service fails twice; the program tries again by itself. */
export async function errorPasses(trial: Trial, text: string): Promise<Finding> {
  const { before } = await trial.tell(text);
  const seen = new Set<string>();
  let early = false;
  await trial
    .knows('an answer', (all) => {
      const refused = all.slice(before);
      return refused.some(({ action, ended }) => action === 'say' && ended === 'answered') ? true : undefined;
    })
    .catch(() => undefined);
  const { history } = await trial.site.fleet.why(trial.worker, HISTORY_MAX);
  for (const { rules } of history.slice(0, 12))
    for (const rule of rules) if (rule.startsWith('agent-error')) seen.add(rule);
  const made = trial.site.model.exchanges.slice(before);
  const answeredAt = made.find(({ action }) => action === 'say')?.endedAt ?? Number.POSITIVE_INFINITY;
  early = history.some(
    ({ at, to, from }) => at > (made[0]?.at ?? 0) && at < answeredAt && from !== to && to !== 'working',
  );
  const view = await trial.rests('needs_input');
  const refusals = made.filter(({ action }) => action === 'refuse').length;
  return {
    believed: `working until the answer${early ? ' – not: it stopped before' : ''} (${[...seen].join(', ') || 'no error seen'}), then ${view.status}`,
    truth: `refused ${refusals} times, then answered`,
    ok: !early && refusals === 2 && answeredAt < Number.POSITIVE_INFINITY,
  };
}

/** The service goes on failing and the program goes on trying, until a person stops it. Not every program shows it. */
export async function errorRetried(trial: Trial, { keys }: Program): Promise<Finding> {
  const { before } = await trial.tell('OVERLOAD');
  const tries = await trial.knows('a second try', (all) => (all.length > before + 1 ? all.length - before : undefined));
  const view = await trial
    .believes('an error that may pass', ({ screen }) => screen === 'error', SHOWN_MS)
    .catch(() => trial.believes('at work', ({ status }) => status === 'working'));
  await trial.press(keys.interrupt, ({ status }) => status === 'working');
  const rests = await trial.rests('needs_input');
  return {
    believed: `${view.screen}, ${view.status} (${view.note}); then ${rests.status}, ${rests.screen}`,
    truth: `refused ${tries} times by then and asked again, until a person stopped it`,
    ok: view.status === 'working' && (view.screen === 'error' || view.screen === 'processing'),
  };
}

/** Makes the service refuse for good, which the program reports. The policy decides Drover's reaction. */
export async function errorStays(trial: Trial, text: string): Promise<Finding> {
  const { before } = await trial.tell(text);
  const view = await trial.believes('an error', ({ screen, note }) => screen === 'error' && note.includes(': '));
  const made = trial.site.model.exchanges.slice(before);
  return {
    believed: `${view.screen}, ${view.status} (${view.note})`,
    truth: `refused ${made.length} time(s)`,
    ok: made.length > 0 && made.every(({ action }) => action === 'refuse'),
  };
}

/** A person interrupts an answer. */
export async function interrupted(trial: Trial, { keys }: Program, text: string): Promise<Finding> {
  const { before } = await trial.tell(text);
  await trial.believes('at work', ({ screen, status }) => screen === 'processing' && status === 'working');
  await trial.knows('the model is at work', (all) => (all[before]?.ended === 'no' ? true : undefined));
  await trial.press(keys.interrupt, ({ status }) => status === 'working');
  const view = await trial.rests('needs_input');
  const ended = await trial.knows('the connection closed', (all) =>
    all[before]?.ended === 'no' ? undefined : all[before],
  );
  return {
    believed: `working, then ${view.status}, ${view.screen} (${view.note})`,
    truth: `the answer was ${ended?.ended}`,
    ok: ended?.ended === 'cut-off',
  };
}

function hasResult({ asked }: { asked: { results: number } }): boolean {
  return asked.results > 0;
}

/** Ready must stand for a moment before a turn is judged: so long the note is that of before. */
async function judged(trial: Trial): Promise<WorkerView> {
  const rests = await trial.rests('needs_input');
  return trial.believes('the turn is judged', ({ note }) => isSettled(note), JUDGED_MS).catch(() => rests);
}

/** The note of a turn that is over: no dialog's words are left in it. */
function isSettled(note: string): boolean {
  return note.startsWith('stopped');
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

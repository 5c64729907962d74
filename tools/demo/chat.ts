// Runs the demo of a chat: a scripted Telegram on loopback, in which a person is asked, answers and accepts the work.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTelegramPeer } from '@drover/chat-bot/testing';
import type { EscalationView } from '@drover/api';
import { until } from '../fleet/wait.ts';
import { checkMain } from './git.ts';
import type { Happenings } from './happenings.ts';
import { follow, laptop, type Fleet, type Played, type Stage } from './stage.ts';
import { prepare } from './tasks.ts';

type Telegram = Awaited<ReturnType<typeof startTelegramPeer>>;
type Message = ReturnType<Telegram['seen']>[number];

const WORKER = 'adam';
const SUBJECT = 'Name the port';
const PROMPT = ['ASK Which port? | 8080 | 9090', 'EDIT port.txt 9090', `COMMIT ${SUBJECT}`].join('\n');
/** Milliseconds for anything that the demo waits for; it takes a second or two. */
const PATIENCE_MS = 60_000;

export async function playChat(stage: Stage): Promise<Played> {
  const { page, stack } = stage;
  page.chapter('A repository, Drover beside it, and a bot');
  await prepare(stage);
  const telegram = stack.use(await startTelegram(stage));
  const fleet = await laptop(stage);
  const happenings = follow(stage, fleet);
  page.chapter('Who are you? A code says it, never a name that somebody chose');
  await link(stage, fleet, telegram);
  page.chapter('A task, a question and a review, all in the chat');
  return { fleet, kept: await workByChat(stage, fleet, { telegram, happenings }) };
}

/** Starts a Telegram on loopback, and writes its bot's token where `drover up` finds it. */
async function startTelegram({ place, page }: Stage): Promise<Telegram> {
  const telegram = await startTelegramPeer();
  const token = telegram.options.telegram?.token ?? '';
  const file = join(place.base, 'telegram-token');
  await writeFile(file, `${token}\n`, { mode: 0o600 });
  const toml = join(place.root, 'drover.toml');
  const chat = `\n[chat]\nrole = "operator"\ntelegram_token_file = "${file}"\ntelegram_api_url = "${telegram.url}"\n`;
  const before = await readFile(toml, 'utf8');
  const after = before.replace('\n[chat]\n', chat);
  if (after === before) throw new Error(`${toml} has no section [chat]`);
  await writeFile(toml, after);
  page.happened('you', 'made a bot in Telegram and put its token into a file that only you can read');
  page.quote('[chat]\nrole = "operator"\ntelegram_token_file = "…/telegram-token"');
  return telegram;
}

/** The person becomes known to Drover by a code. */
async function link({ page }: Stage, fleet: Fleet, telegram: Telegram): Promise<void> {
  page.command('drover user link ada');
  const [, code] = /\/link (\S+)/u.exec(await fleet.drover('user', 'link', 'ada')) ?? [];
  if (code === undefined) throw new Error('"drover user link" printed no code');
  say({ page }, telegram, { verb: 'link', words: code });
  const text = 'Welcome, ada';
  show({ page }, await message(telegram, { what: 'the welcome of the bot', text }));
}

/** A task is given by the chat, its question is answered by a press, and its work is accepted by another. */
async function workByChat(
  { page, place }: Stage,
  fleet: Fleet,
  { telegram, happenings }: { telegram: Telegram; happenings: Happenings },
): Promise<readonly string[]> {
  page.command(`drover add ${WORKER}`);
  await fleet.drover('add', WORKER);
  await happenings.state(WORKER, 'idle');
  say({ page }, telegram, { verb: 'drover', words: `start ${WORKER} ${PROMPT}` });
  const card = await message(telegram, {
    what: 'the card of the question',
    text: 'Which port?',
    label: '9090',
  });
  show({ page }, card);
  press({ page }, telegram, { card, label: '9090' });
  const corrected = 'ada chose "9090". The worker has it.';
  show({ page }, await message(telegram, { what: 'the name of who answered on the card', text: corrected }));
  await happenings.state(WORKER, 'needs_review');
  say({ page }, telegram, { verb: 'drover', words: `review ${WORKER}` });
  const review = await message(telegram, { what: 'the review', text: SUBJECT, label: /^Accept /u });
  show({ page }, review);
  press({ page }, telegram, { card: review, label: review.labels[0] ?? '' });
  await happenings.rule(WORKER, 'accept:merged');
  const cards = telegram.seen().filter(({ text }) => text.includes('Which port?'));
  if (cards.length !== 1) throw new Error(`${cards.length} cards were posted for one question, expected one`);
  await checkMain(place, { at: place.source, subjects: [SUBJECT], files: { 'port.txt': '9090' } });
  const asked: readonly EscalationView[] = JSON.parse(await fleet.drover('escalation', '--all', '--json'));
  const [one] = asked;
  if (asked.length !== 1 || one?.application !== 'applied' || one.resolution?.by !== 'ada')
    throw new Error(`One question was to be answered by ada and applied: ${JSON.stringify(asked)}`);
  return [
    'one card was posted for the question; after the press the same card says who answered, and has no buttons',
    'the answer is stored with the name of the person, and the agent got it',
    'the work that was accepted in the chat is one commit in main',
  ];
}

function say(
  { page }: Pick<Stage, 'page'>,
  telegram: Telegram,
  { verb, words }: { verb: 'link' | 'drover'; words: string },
): void {
  page.happened('ada', `→ /${verb} ${words.split('\n')[0] ?? ''}${words.includes('\n') ? ' …' : ''}`);
  telegram.command(verb, words);
}

function press(
  { page }: Pick<Stage, 'page'>,
  telegram: Telegram,
  { card, label }: { card: Message; label: string },
): void {
  page.happened('ada', `presses [ ${label} ]`);
  telegram.press(card.ref, label);
}

/** Prints a message as the person sees it. */
function show({ page }: Pick<Stage, 'page'>, { text, labels }: Message): void {
  page.happened('bot', 'shows in Telegram:', { tone: 'good' });
  page.quote(text);
  if (labels.length > 0) page.quote(labels.map((label) => `[ ${label} ]`).join(' '));
}

function message(
  telegram: Telegram,
  { what, text, label }: { what: string; text: string; label?: string | RegExp },
): Promise<Message> {
  const isMeant = (one: string): boolean => (typeof label === 'string' ? one === label : label?.test(one) === true);
  const ask = (): Message | undefined =>
    telegram.seen().find((one) => one.text.includes(text) && (label === undefined || one.labels.some(isMeant)));
  return until(what, ask, PATIENCE_MS);
}

// Measures how soon a person is asked in a chat, and what a kill costs. Real coordinator, bot and Postgres; Telegram is a script on
// loopback.
//
// npm run bench -- chat [--smoke] [--set only=screen|first-card|storm|kills] [--set kills=N] [--set lanes=N]
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openChatScene, PARTS, until } from './chat/scene.ts';
import type { ChatScene } from './chat/scene.ts';
import { screenTimes } from './chat/screens.ts';
import type { Benchmark } from './src/benchmark.ts';
import { ms, percentile, table } from './src/table.ts';

/** Questions that are open at once, as the issue of the aim says. */
const OPEN = 50;
/** Questions that come one by one after them. */
const ALONE = 10;
/** Workers of a machine that is lost. */
const STORM = 300;
/** Aims: committed until the first card, and from a press until its outcome is told and shown, in milliseconds; memory of a bot, in bytes; double cards for each kill. */
const AIMS = { p50: 1_000, p99: 5_000, toldP99: 1_000, correctedP99: 3_000, bytes: 130e6, doubles: 0.3 } as const;
/** A kill comes at any moment of this span after the last victim is up, in milliseconds: a question takes less. */
const KILL_WITHIN_MS = 1_500;

export const benchmark: Benchmark = {
  about:
    'a question until its first card in a chat with 50 open at once, and kills of coordinator, bot and chat service',
  run: async ({ smoke, settings }) => {
    // Kills take minutes, and a question waits up to half of one after each.
    if (smoke) return (await firstCards(10, smoke)) && storm(30);
    const only = settings['only'];
    const kills = Number(settings['kills'] ?? 200);
    const lanes = Number(settings['lanes'] ?? 3);
    const isMeant = (part: string): boolean => only === undefined || only === part;
    const isSoon = !isMeant('screen') || (await screens());
    const isQuick = !isMeant('first-card') || (await firstCards(OPEN, smoke));
    const isOne = !isMeant('storm') || (await storm(STORM));
    const isKept = !isMeant('kills') || (await killed({ kills, lanes }));
    return isSoon && isQuick && isOne && isKept;
  },
};

/** `count` questions are asked one after the other, as fast as they can be stored; then as many, one at a time. */
async function firstCards(count: number, smoke: boolean): Promise<boolean> {
  await using scene = await openChatScene(2 * count);
  const [together, alone] = [scene.names.slice(0, count), scene.names.slice(count)];
  const seen = new Map<string, number>();
  const committed = new Map<string, number>();
  const ask = async (name: string): Promise<void> => {
    await scene.ask(name);
    committed.set(name, performance.now());
  };
  const shown = (name: string): boolean => {
    if (!seen.has(name) && scene.cardsOf(name).length > 0) seen.set(name, performance.now());
    return seen.has(name);
  };
  const looking = (async () => until('all cards', () => together.filter((name) => !shown(name)).length === 0))();
  for (const name of together) await ask(name);
  await looking;
  for (const name of alone) {
    await ask(name);
    await until(`the card of ${name}`, () => shown(name));
  }
  const tookOf = (names: readonly string[]): number[] =>
    names.map((name) => Math.max(0, (seen.get(name) ?? Number.NaN) - (committed.get(name) ?? 0)));
  const rows = [
    [`${count} asked at once`, tookOf(together)],
    [`one at a time, ${count} and more open`, tookOf(alone)],
  ] as const;
  const cells = rows.map(([name, took]) => [name, ms(percentile(took, 0.5)), ms(percentile(took, 0.99))]);
  console.log(table(['committed until the card is there', 'p50', 'p99'], cells));
  const isTold = await pressed(scene, alone);
  console.log(`memory of the bot: ${Math.round(scene.memory() / 1e6)} MB at most`);
  const isQuick = rows.every(([, took]) => percentile(took, 0.5) <= AIMS.p50 && percentile(took, 0.99) <= AIMS.p99);
  return smoke || (isQuick && isTold && scene.memory() <= AIMS.bytes);
}

/** Presses one button after the other: waits until its outcome is told in its place, and until the card says who answered. */
async function pressed(scene: ChatScene, names: readonly string[]): Promise<boolean> {
  const { telegram, cardsOf } = scene;
  const [told, corrected]: [number[], number[]] = [[], []];
  for (const name of names) {
    const [card] = cardsOf(name);
    const begun = performance.now();
    const press = telegram.press(card?.ref ?? '', 'Try again');
    await until(`the outcome of ${name}`, () => press.told() !== null);
    told.push(performance.now() - begun);
    await until(`the correction of ${name}`, () => cardsOf(name).some(({ text }) => text.startsWith('✅')));
    corrected.push(performance.now() - begun);
  }
  const rows = [
    ['its outcome is told in its place', told, AIMS.toldP99],
    ['the card says who answered', corrected, AIMS.correctedP99],
  ] as const;
  const cells = rows.map(([name, took]) => [name, ms(percentile(took, 0.5)), ms(percentile(took, 0.99))]);
  console.log(table(['from a press until', 'p50', 'p99'], cells));
  return rows.every(([, took, aim]) => percentile(took, 0.99) <= aim);
}

/** Measures from the screen of the agent until the card is there: `drover up` with workers in tmux, all asking at once, then one by one. */
async function screens(): Promise<boolean> {
  const { together, alone } = await screenTimes(OPEN, ALONE);
  const rows = [
    [`${OPEN} at once`, together],
    [`one at a time, ${OPEN} and more open`, alone],
  ] as const;
  const cells = rows.map(([name, took]) => [name, ms(percentile(took, 0.5)), ms(percentile(took, 0.99))]);
  console.log(table(['on the screen until the card is there', 'p50', 'p99'], cells));
  return rows.every(([, took]) => percentile(took, 0.5) <= AIMS.p50 && percentile(took, 0.99) <= AIMS.p99);
}

/** A machine is lost, and each of its workers asks: people see one card, which alarms once. */
async function storm(count: number): Promise<boolean> {
  await using scene = await openChatScene(count);
  const { telegram, names } = scene;
  const [cards, pings] = [telegram.seen().length, telegram.pings()];
  const begun = performance.now();
  for (const name of names) await scene.ask(name, 'MACHINE_LOST');
  const asked = performance.now() - begun;
  const known = (): Promise<unknown> => Promise.resolve(telegram.seen().map(({ text }) => text.slice(0, 200)));
  const isAll = (): boolean => telegram.seen().some(({ text }) => text.includes(`${count} workers on machine`));
  await until('the card of all of them', isAll, known);
  const [shown, alarms] = [telegram.seen().length - cards, telegram.pings() - pings];
  const told = performance.now() - begun;
  console.log(
    table(
      ['workers on a lost machine', 'all have asked after', 'one card names all after', 'cards', 'alarms'],
      [[String(count), ms(asked), ms(told), String(shown), String(alarms)]],
    ),
  );
  return shown === 1 && alarms === 1;
}

/** Counts of a run with kills. */
interface Tally {
  questions: number;
  told: number;
  /** Questions whose press was told to count, and stored otherwise; shown otherwise than stored; answered twice. */
  wrong: string[];
  doubles: number;
  /** Doubles that were wrong until they were pressed. */
  healed: number;
  readonly took: number[];
}

/** Questions are asked, pressed and corrected without end, while one part after the other is killed at random moments. */
async function killed({ kills, lanes }: { readonly kills: number; readonly lanes: number }): Promise<boolean> {
  await using scene = await openChatScene(kills * 20 + lanes);
  const tally: Tally = { questions: 0, told: 0, wrong: [], doubles: 0, healed: 0, took: [] };
  const waiting = [...scene.names];
  const lane = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await oneQuestion(scene, name, tally);
  };
  const working = Promise.all(Array.from({ length: lanes }, lane));
  const counts = new Map<string, number>();
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const before = tally.questions;
      await Promise.race([until('a question that goes its way', () => tally.questions > before), working]);
      await sleep(randomInt(KILL_WITHIN_MS));
      const part = PARTS[randomInt(PARTS.length)] ?? 'bot';
      await scene.kill(part);
      counts.set(part, (counts.get(part) ?? 0) + 1);
      // A long run says how far it is.
      if ((kill + 1) % 20 === 0)
        console.log(
          `${kill + 1} kills, ${tally.questions} questions, ${tally.doubles} double cards, ${tally.wrong.length} wrong`,
        );
    }
  } finally {
    waiting.length = 0;
    await working;
  }
  const parts = PARTS.map((part) => `${counts.get(part) ?? 0} of the ${part}`).join(', ');
  const rows = [
    ['kills', `${kills}: ${parts}`],
    ['questions, all answered', String(tally.questions)],
    ['presses that were told to count', String(tally.told)],
    ['answers lost, doubled or shown wrong', String(tally.wrong.length)],
    [
      'double cards',
      `${tally.doubles} (${(tally.doubles / kills).toFixed(2)} a kill), ${tally.healed} healed by a press`,
    ],
    ['asked until corrected', `p50 ${ms(percentile(tally.took, 0.5))}, p99 ${ms(percentile(tally.took, 0.99))}`],
    ['memory of the bot', `${Math.round(scene.memory() / 1e6)} MB at most`],
  ];
  console.log(table(['what', 'how many'], rows));
  for (const wrong of tally.wrong) console.error(wrong);
  return tally.wrong.length === 0 && tally.doubles / kills <= AIMS.doubles && scene.memory() <= AIMS.bytes;
}

/**
 * Asks one question, shows it, presses as soon as it is there, and waits until it is told and corrected; of three, one is answered at a terminal at
 * the same time.
 */
async function oneQuestion(scene: ChatScene, name: string, tally: Tally): Promise<void> {
  const { telegram, store } = scene;
  const begun = performance.now();
  await scene.ask(name);
  const known = (): Promise<unknown> => scene.storedOf(name);
  await until(`the card of ${name}`, () => scene.cardsOf(name).length > 0, known);
  const [card] = scene.cardsOf(name);
  const [asked] = (await store.listEscalations({ limit: 10_000 })).filter(({ workerName }) => workerName === name);
  if (card === undefined || asked === undefined) return;
  const atTerminal = randomInt(3) === 0 ? scene.answerAtTerminal(asked.id) : null;
  const press = telegram.press(card.ref, 'Try again');
  // A chat service may deliver a press again at any time.
  press.again();
  const isDone = (): boolean => scene.cardsOf(name).some(({ text }) => text.startsWith('✅'));
  await until(`the correction of ${name}`, isDone, known);
  await atTerminal;
  tally.took.push(performance.now() - begun);
  const cards = scene.cardsOf(name);
  tally.doubles += cards.length - 1;
  for (const { ref, labels } of cards) {
    const isCorrected = (): boolean => telegram.seen().some((one) => one.ref === ref && one.text.startsWith('✅'));
    if (isCorrected()) continue;
    telegram.press(ref, labels[0] ?? '');
    await until(`the healed card of ${name}`, isCorrected, known);
    tally.healed += 1;
  }
  await judge(scene, { name, id: asked.id, press }, tally);
  tally.questions += 1;
}

/** Judges that the stored answer is the one that was told and that every card shows, and that one answer won. X1, X2, X3, X8. */
async function judge(
  { store, cardsOf }: ChatScene,
  { name, id, press }: { name: string; id: string; press: { readonly told: () => string | null } },
  tally: Tally,
): Promise<void> {
  const row = await store.readEscalation(id);
  const by = row?.resolution?.by ?? '';
  const label = row?.resolution?.option === 'retry' ? 'Try again' : 'Try again with my instructions';
  const wrong = cardsOf(name).filter(({ text }) => !text.includes(`${by} chose "${label}"`));
  for (const { text } of wrong) tally.wrong.push(`${name}: ${by} chose "${label}", and a card shows: ${text}`);
  const won = (await store.listResponses(id)).filter(({ kind, reply }) => kind === 'answer' && isOk(reply));
  if (won.length !== 1) tally.wrong.push(`${name}: ${won.length} answers won`);
  const told = press.told();
  if (told === null) return;
  tally.told += 1;
  const expected = by === 'ada' ? 'Your answer counts: "Try again".' : `${by} already chose "${label}".`;
  if (told !== expected) tally.wrong.push(`${name}: told "${told}", expected "${expected}"`);
}

function isOk(reply: unknown): boolean {
  return typeof reply === 'object' && reply !== null && 'kind' in reply && reply.kind === 'ok';
}

// Sends many texts through a program's channel, and counts those that were lost, doubled or altered. A file keeps what was sent: a later call goes on.
import { appendFile, readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Program } from '@drover/real-agents';
import { arrivalOf } from '../samples.ts';
import type { Finding, Trial } from '../trial.ts';

/** Texts of one conversation: each request holds all of its texts again. */
const BATCH = 25;
/** Texts between two ends of a turn that Drover sees: until then it counts each as one in the program's own queue, of which 20 may wait. */
const UNSEEN = 10;
/** Bytes of the shortest and the longest text. */
const [BYTES_MIN, BYTES_MAX] = [64, 65_536];
/** Fractions of the golden ratio spread sizes evenly, and the same for the same number. */
const SPREAD = 0.618_033_988_749_895;
const WORDS = [
  'naïve',
  '漢字',
  '"quoted"',
  '$HOME',
  '\\',
  '- item',
  'line\n',
  '\ttab',
  '🚀',
  '/path',
  '!bang',
  '❯ 1. Yes\n',
];

/**
 * Text that was sent. `receiptMs`: from its first look at the screen until the conversation held it. `arrived`: how often, also with changes that are
 * known of the program. `altered`: how a text that came with another change differs.
 */
const sent = z.object({
  index: z.number(),
  bytes: z.number(),
  way: z.string(),
  receiptMs: z.number().nullable(),
  arrived: z.number(),
  altered: z.string().nullable().default(null),
});

type Sent = z.infer<typeof sent>;

/** @param file JSON lines of the texts so far. */
export async function takesMany(
  trial: Trial,
  program: Program,
  { count, file }: { count: number; file: string },
): Promise<Finding> {
  const done = await readSent(file);
  while (done.length < count) {
    const batch = await sendBatch(trial, program, { from: done.length, to: Math.min(done.length + BATCH, count) });
    await appendFile(file, batch.map((one) => `${JSON.stringify(one)}\n`).join(''));
    done.push(...batch);
    if (done.length < count) await trial.replaced();
  }
  const byChannel = done.filter(({ way }) => way !== 'paste');
  const times = byChannel.flatMap(({ receiptMs }) => receiptMs ?? []).toSorted((one, other) => one - other);
  const at = (share: number): number => times[Math.max(0, Math.ceil(times.length * share) - 1)] ?? 0;
  const altered = done.flatMap(({ index, altered: how }) => (how === null ? [] : [`text ${index} altered (${how})`]));
  const lost = done.filter((one) => one.arrived === 0 && one.altered === null);
  const doubled = done.filter(({ arrived }) => arrived > 1);
  return {
    believed: `${done.length} texts delivered, ${byChannel.length} by the channel; receipt p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
    truth: [`${lost.length} lost, ${altered.length} altered, ${doubled.length} doubled`, ...altered].join('; '),
    ok: lost.length === 0 && altered.length === 0 && doubled.length === 0,
  };
}

async function readSent(file: string): Promise<Sent[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [sent.parse(JSON.parse(line))]));
}

/** Sends texts one after another, each as soon as the former is answered. Counts at the end, so that a text that came twice, or late, is seen. */
async function sendBatch(
  trial: Trial,
  { alters }: Program,
  { from, to }: { from: number; to: number },
): Promise<readonly Sent[]> {
  const { exchanges } = trial.site.model;
  const begin = exchanges.length;
  const done: (Omit<Sent, 'arrived' | 'altered'> & { readonly text: string })[] = [];
  // The first text of a conversation is the task, which Drover puts its own words before.
  await trial.site.fleet.start(trial.worker, 'SAY that you are ready.');
  await trial.rests('needs_input');
  for (let index = from; index < to; index += 1) {
    const text = textOf(index);
    const { receipt, before } = await trial.tell(text);
    await trial.knows('an answer', (all) =>
      all.slice(before).some(({ ended }) => ended === 'answered') ? true : undefined,
    );
    const [first, last] = [receipt?.steps[0], receipt?.steps.at(-1)];
    const receiptMs = first === undefined || last === undefined ? null : last.at - first.at;
    done.push({ index, bytes: Buffer.byteLength(text), way: receipt?.method ?? 'none', receiptMs, text });
    if (done.length % UNSEEN === 0) await trial.rests('needs_input');
  }
  const texts = exchanges.slice(begin).flatMap(({ asked }) => (asked.results === 0 ? asked.texts : []));
  return done.map(({ text, ...one }) => {
    const arrivals = texts.map((arrived) => arrivalOf(text, [arrived])).filter(({ kind }) => kind !== 'absent');
    const hows = arrivals.flatMap((arrival) => (arrival.kind === 'altered' ? [arrival.how] : []));
    const altered = hows.find((how) => !(how in alters)) ?? null;
    return { ...one, arrived: altered === null ? arrivals.length : 0, altered };
  });
}

/** Builds a text of its own for each number, of any size between the bounds. */
function textOf(index: number): string {
  const size = BYTES_MIN * (BYTES_MAX / BYTES_MIN) ** ((index * SPREAD) % 1);
  let text = `SAY this is text ${index}.`;
  for (let at = index; Buffer.byteLength(text) < size - 20; at += 1) text += ` ${WORDS[at % WORDS.length] ?? ''}`;
  return `${text} End of text ${index}.`;
}

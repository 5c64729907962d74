// How many of the texts that were ordered arrived, once and whole?
import { content, fidelity, type Content } from './contents.ts';
import type { Receiver, Seats } from './seats.ts';

/** Orders given for one text before it counts as not deliverable; each refusal says that nothing was typed. */
const ORDERS_MAX = 10;

/** What became of some texts. */
export interface Tally {
  sent: number;
  lost: number;
  doubled: number;
  altered: number;
  /** Changed only in the way that Drover says beforehand. */
  announced: number;
  /** Outcomes other than `delivered`, by kind. */
  readonly outcomes: Map<string, number>;
  /** The first text that arrived altered, and as what. */
  example: { readonly ordered: string; readonly received: string } | null;
}

/** Sends one text to one receiver; other outcomes than "delivered" are noted. */
export type Send = (seats: Seats, receiver: Receiver, one: Content, tally: Tally) => Promise<void>;

/** A tally of no text. */
export function noTally(): Tally {
  return { sent: 0, lost: 0, doubled: 0, altered: 0, announced: 0, outcomes: new Map(), example: null };
}

/** Orders the texts of some numbers, spread over all panes, and compares what was taken with what was ordered. */
export async function tallyOf(seats: Seats, wanted: readonly number[], send: Send): Promise<Tally> {
  const tally: Tally = { ...noTally(), sent: wanted.length };
  await Promise.all(
    seats.receivers.map(async (receiver, index) => {
      const before = receiver.taken().length;
      const mine = wanted.filter((number) => number % seats.receivers.length === index).map(content);
      for (const one of mine) await send(seats, receiver, one, tally);
      const taken = receiver
        .taken()
        .slice(before)
        .map(({ prompt }) => prompt);
      for (const one of mine) count(tally, one, taken);
    }),
  );
  return tally;
}

function count(tally: Tally, { mark, text }: Content, taken: readonly string[]): void {
  const holding = taken.filter((prompt) => prompt.includes(mark));
  const times = holding.reduce((sum, prompt) => sum + prompt.split(mark).length - 1, 0);
  const [first] = holding;
  if (first === undefined) tally.lost += 1;
  else if (times > 1) tally.doubled += 1;
  else if (fidelity(text, first) === 'altered') {
    tally.altered += 1;
    tally.example ??= { ordered: text, received: first };
  } else if (fidelity(text, first) === 'announced') tally.announced += 1;
}

/** Orders again only what was refused before anything was typed, as the policy does. */
export async function sendOurs(seats: Seats, receiver: Receiver, { text }: Content, tally: Tally): Promise<void> {
  for (let order = 1; order <= ORDERS_MAX; order += 1) {
    seats.answerQuickly(receiver);
    const from = seats.machine.coordinator.stored.length;
    const { result } = await seats.deliver(receiver, text);
    if (result.kind !== 'delivered') note(tally, result.kind === 'refused' ? `refused (${result.why})` : result.kind);
    await seats.ready(receiver, from);
    if (result.kind !== 'refused') return;
  }
}

/** Counts an outcome other than `delivered`. */
export function note({ outcomes }: Tally, outcome: string): void {
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
}

/** `lost / doubled / altered of sent`. */
export function wordsOf({ sent, lost, doubled, altered }: Tally): string {
  return `${lost} / ${doubled} / ${altered} of ${sent}`;
}

/** The outcomes on the way, for people. */
export function outcomesOf({ outcomes }: Tally): string {
  return [...outcomes].map(([kind, times]) => `${times} ${kind}`).join(', ') || 'all delivered at once';
}

/** Whole numbers, the last one left out. */
export function numbers(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

// Counts how many of the texts that were sent arrived, once and whole.
import type { CommandResult } from '@drover/core';
import { content, fidelity, type Content } from './contents.ts';
import { Ladder, type Next } from './ladder.ts';
import type { Receiver, BenchFleet } from './bench-fleet.ts';
import { sleep } from '../wait.ts';

/** Outcomes of some texts, counted. */
export interface Tally {
  sent: number;
  lost: number;
  doubled: number;
  altered: number;
  /** Texts changed only in the way that Drover says beforehand. */
  announced: number;
  /** Outcomes other than `delivered`, by kind. */
  readonly outcomes: Map<string, number>;
  /** The first text that arrived altered, and as what. */
  example: { readonly requested: string; readonly received: string } | null;
  /** Reports about each text that was lost or doubled, attempt by attempt. */
  readonly faults: string[];
}

/** Text, and where it is counted. */
export interface Sending {
  readonly one: Content;
  readonly tally: Tally;
}

/** Sends one text to one receiver; other outcomes than "delivered" are noted. @returns what was said of it, in order. */
export type Send = (fleet: BenchFleet, receiver: Receiver, sending: Sending) => Promise<readonly string[]>;

/** A tally of no text. */
export function noTally(): Tally {
  return { sent: 0, lost: 0, doubled: 0, altered: 0, announced: 0, outcomes: new Map(), example: null, faults: [] };
}

/** Sends the texts of some numbers, spread over all panes, and compares what was taken with what was sent. */
export async function tallyOf(fleet: BenchFleet, wanted: readonly number[], send: Send): Promise<Tally> {
  const tally: Tally = { ...noTally(), sent: wanted.length };
  await Promise.all(
    fleet.receivers.map(async (receiver, index) => {
      const before = receiver.taken().length;
      const mine = wanted.filter((number) => number % fleet.receivers.length === index).map(content);
      const told = new Map<string, readonly string[]>();
      for (const one of mine) told.set(one.mark, await send(fleet, receiver, { one, tally }));
      const taken = receiver
        .taken()
        .slice(before)
        .map(({ prompt }) => prompt);
      for (const one of mine) {
        const fault = count(tally, one, taken);
        if (fault !== null)
          tally.faults.push(`${receiver.settings.name} ${one.mark} ${fault}: ${told.get(one.mark)?.join(' | ')}`);
      }
    }),
  );
  return tally;
}

function count(tally: Tally, { mark, text }: Content, taken: readonly string[]): 'lost' | 'doubled' | null {
  const holding = taken.filter((prompt) => prompt.includes(mark));
  const times = holding.reduce((sum, prompt) => sum + prompt.split(mark).length - 1, 0);
  const [first] = holding;
  if (first === undefined) {
    tally.lost += 1;
    return 'lost';
  }
  if (times > 1) {
    tally.doubled += 1;
    return 'doubled';
  }
  if (fidelity(text, first) === 'altered') {
    tally.altered += 1;
    tally.example ??= { requested: text, received: first };
  } else if (fidelity(text, first) === 'announced') tally.announced += 1;
  return null;
}

/** Sends a text until it is taken, as the policy does after each outcome. */
export async function sendOurs(
  fleet: BenchFleet,
  receiver: Receiver,
  { one: { text }, tally }: Sending,
): Promise<readonly string[]> {
  const told: string[] = [];
  const ladder = new Ladder(fleet, receiver);
  for (let next: Next = { waitMs: 0, change: {} }; next !== null;) {
    await sleep(next.waitMs);
    fleet.answerQuickly(receiver);
    const from = fleet.machine.coordinator.stored.length;
    const { result, seq } = await fleet.deliver(receiver, text, next.change);
    told.push(`${new Date().toISOString()} ${JSON.stringify(result)}`);
    if (result.kind !== 'delivered') note(tally, outcomeOf(result));
    await fleet.ready(receiver, from);
    next = await ladder.next(result, { change: next.change, seq });
  }
  return told;
}

function outcomeOf(result: CommandResult): string {
  switch (result.kind) {
    case 'refused':
    case 'unknown':
      return `${result.kind} (${result.why})`;
    case 'failed':
      return `failed (${result.code})`;
    case 'lost':
    case 'partial':
      return `${result.kind} (${result.receipt.evidence.at(-1) ?? 'no evidence'})`;
    default:
      return result.kind;
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

/** Plays deliveries with kills of every part, as the policy carries them out: what is unknown is looked for before it is given again. */
import { pause } from '@drover/base';
import type { ChannelReceipt, SentTo } from '../../channels/channel.ts';
import { deliverBy } from '../../channels/deliver.ts';
import { fastClock, TIMES } from './fast-clock.ts';
import type { Fate, ScriptedPeer } from './peer.ts';

const FATES: readonly [Fate, ...Fate[]] = [
  'answer',
  'answer',
  'answer',
  'answer',
  'answer',
  'answer',
  'answer',
  'answer',
  'refuse',
  'die-before',
  'die-after',
  'mute',
  'slow',
  'lie',
];

/** The process of Drover died. */
class Died extends Error {}

/** A game and its size. */
interface Game {
  readonly seed: number;
  readonly texts: number;
  readonly bytesMax: number;
}

/** Texts in their order, the ways in which they went, and milliseconds from each call to its receipt when nothing was killed. */
export interface Played {
  readonly wanted: readonly string[];
  readonly ways: { channel: number; typed: number; again: number };
  readonly receiptMs: readonly number[];
}

/** Delivers texts until the conversation must hold each. */
export async function play(peer: ScriptedPeer, { seed, texts, bytesMax }: Game): Promise<Played> {
  const random = chanceOf(seed);
  const clock = fastClock(TIMES);
  const { signal } = new AbortController();
  const ways = { channel: 0, typed: 0, again: 0 };
  const wanted: string[] = [];
  const receiptMs: number[] = [];
  let channel = peer.channel();
  for (let at = 0; at < texts; at += 1) {
    const text = `${at} ${'a text 漢字 \\ '.repeat(random.int(1, Math.max(1, Math.floor(bytesMax / 20))))}`;
    wanted.push(text);
    const fate = random.pick(FATES);
    peer.fates(fate);
    const isBusy = random.chance(0.2);
    if (isBusy) peer.begin();
    let earlier: SentTo | null = null;
    for (let isDone = false; !isDone;) {
      const dies = random.pick([null, null, null, null, 'noted', 'accepted'] as const);
      const tools = {
        clock,
        signal,
        earlier,
        note: (to: SentTo): Promise<void> => {
          earlier = to;
          return dies === 'noted' ? Promise.reject(new Died()) : Promise.resolve();
        },
        onAccepted: (): void => {
          if (dies === 'accepted') throw new Died();
        },
      };
      const startedAt = performance.now();
      const receipt: ChannelReceipt | null = await deliverBy(
        channel,
        { textId: `p${at}`, text, mayQueue: true },
        tools,
      ).catch((error: unknown) => {
        if (!(error instanceof Died)) throw error;
        return null;
      });
      if (receipt === null) {
        channel[Symbol.dispose]();
        channel = peer.channel();
      }
      switch (receipt?.kind) {
        case 'taken':
        case 'queued':
          ways.channel += 1;
          if (fate === 'answer' && earlier !== null) receiptMs.push(performance.now() - startedAt);
          isDone = true;
          break;
        case 'closed':
          ways.typed += 1;
          peer.type(text);
          isDone = true;
          break;
        default:
          ways.again += 1;
          peer.end();
          // A person who is asked looks at the program when it is quick again.
          peer.settle();
          await pause(clock, 1_000);
      }
    }
    peer.end();
  }
  peer.settle();
  channel[Symbol.dispose]();
  return { wanted, ways, receiptMs };
}

/** Chance that repeats with its seed. */
function chanceOf(seed: number) {
  let state = seed;
  const next = (): number => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    int,
    chance: (probability: number): boolean => next() < probability,
    pick: <T>(list: readonly [T, ...T[]]): T => list[int(0, list.length - 1)] ?? list[0],
  };
}

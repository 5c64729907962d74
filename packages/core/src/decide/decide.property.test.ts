/** Is every move of the transition table made by the policy? That it makes no other is a rule of `testing/rules`. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UTC } from '../limits/calendar.ts';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import { TRANSITIONS } from '../worker/status.ts';
import { newWorker } from '../worker/worker.ts';
import type { Worker } from '../worker/worker.ts';
import { arbitraryEvent, likelyEvent } from '../testing/arbitrary-event.ts';
import { decide } from './decide.ts';
import type { DecideContext } from './decision.ts';

function contextAt(now: number, flags: { connected: boolean; lease: DecideContext['mergeLease'] }): DecideContext {
  const fresh = `00000000-0000-7000-8000-${String(now).padStart(12, '0')}`;
  return {
    now,
    fresh,
    policy: DEFAULT_POLICY,
    mergeLease: flags.lease,
    machineConnected: flags.connected,
    random: 0.5,
    zone: UTC,
    profile: 'sim',
    othersIdle: 0,
  };
}

/** A history is a seed and a length: its events are drawn evenly, which keeps long ones going on to the end. */
type History = { readonly seed: number; readonly length: number };
type Visit = (before: Worker, after: Worker, rules: readonly string[]) => void;

/** Plays a history: mostly what a real machine would answer, sometimes anything. */
function play({ seed, length }: History, visit: Visit): Worker {
  const random = evenly(seed);
  const wilds = fc.sample(arbitraryEvent, { numRuns: 8, seed });
  let worker = newWorker();
  let now = 1_000_000;
  for (let index = 0; index < length; index += 1) {
    now += 1 + Math.floor(random() ** 3 * 90_000);
    const wild = wilds[index % wilds.length];
    const event = random() < 0.95 || wild === undefined ? likelyEvent(worker, now, random()) : wild;
    const lease = random() < 0.8 ? 'free' : 'other';
    const decision = decide(worker, event, contextAt(now, { connected: random() < 0.8, lease }));
    visit(worker, decision.worker, decision.rules);
    worker = decision.worker;
    if (decision.records.some(({ kind }) => kind === 'gone')) worker = newWorker();
  }
  return worker;
}

/** The mulberry32 generator: even numbers in [0, 1) from a seed. */
function evenly(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

test('given enough histories, every move of the transition table is made', () => {
  const missing = new Set(TRANSITIONS.map(({ from, to }) => `${from}>${to}`));
  for (let seed = 0; seed < 30_000 && missing.size > 0; seed += 1)
    play({ seed, length: 300 }, (before, after) => missing.delete(`${before.status}>${after.status}`));

  expect([...missing]).toEqual([]);
});

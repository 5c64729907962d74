// Measures how long one decision takes in core alone, over whole histories of workers, drawn from what a machine would really say.
import { randomUUID } from 'node:crypto';
import { decide, DEFAULT_POLICY, UTC } from '@drover/core';
import type { WholeContext, Worker, WorkerEvent } from '@drover/core';
import { likelyEvent } from './likely-event.ts';
import { working } from '../../packages/core/src/testing/story.ts';
import { SeededRandom } from '../../packages/testkit/src/index.ts';

interface Heard {
  readonly worker: Worker;
  readonly event: WorkerEvent;
  readonly context: WholeContext;
}

/** Events of one worker's history. */
const LENGTH = 60;
/** The longest time between two events of one history, in milliseconds: sometimes a deadline of any kind passes. */
const PAUSE_MAX_MS = 90_000;

/** @returns microseconds of each decision, and how many a second there were, the measuring included. */
export function measureDecisions({ count, seed }: { count: number; seed: number }): {
  microseconds: readonly number[];
  perSecond: number;
} {
  const heard = histories(count, seed);
  const microseconds: number[] = [];
  const start = performance.now();
  for (const { worker, event, context } of heard) {
    const before = performance.now();
    decide(worker, event, context);
    microseconds.push((performance.now() - before) * 1_000);
  }
  return { microseconds, perSecond: heard.length / ((performance.now() - start) / 1_000) };
}

function histories(count: number, seed: number): readonly Heard[] {
  const random = new SeededRandom(seed);
  const heard: Heard[] = [];
  while (heard.length < count) {
    const story = working();
    let { worker, now } = story;
    for (let index = 0; index < LENGTH; index += 1) {
      now += 1 + Math.floor(random.next() ** 3 * PAUSE_MAX_MS);
      const event = likelyEvent(worker, now, random.next());
      const context = contextAt(now, random);
      heard.push({ worker, event, context });
      ({ worker } = decide(worker, event, context));
    }
  }
  return heard;
}

function contextAt(now: number, random: SeededRandom): WholeContext {
  return {
    now,
    fresh: randomUUID(),
    policy: DEFAULT_POLICY,
    merge: { lease: random.chance(0.8) ? 'free' : 'other' },
    machineConnected: random.chance(0.9),
    random: random.next(),
    zone: UTC,
    profile: 'sim',
    trust: {},
    ways: { othersIdle: random.int(0, 1) },
  };
}

/** Whatever happens in whatever order: decide is total, uses only known moves, and keeps R1, R7 and R8. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UTC } from '../limits/calendar.ts';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import { alternativeKey } from '../retry/alternatives.ts';
import { canMove, TRANSITIONS } from '../worker/status.ts';
import { newWorker } from '../worker/worker.ts';
import type { Worker } from '../worker/worker.ts';
import { arbitraryEvent, likelyEvent } from '../testing/arbitrary-event.ts';
import { decide } from './decide.ts';
import type { DecideContext } from './decision.ts';

const RUNS = 3_000;

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
const history = fc.record({ seed: fc.integer(), length: fc.integer({ min: 1, max: 150 }) });
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

/** Cheaper than an assertion, of which a property makes hundreds of thousands. */
function holds(condition: boolean, otherwise: string): void {
  if (!condition) throw new Error(otherwise);
}

describe('decide', () => {
  test('given any history, every move is in the transition table and at most one order is in flight', () => {
    fc.assert(
      fc.property(history, (steps) => {
        play(steps, (before, after) => {
          holds(canMove(before.status, after.status), `${before.status} became ${after.status}`);
          holds(after.commandSeq - before.commandSeq <= 1, 'two orders were given at once');
        });
      }),
      { numRuns: RUNS },
    );
  });

  test('R1: given any history, who is not idle, offline by order, in review or in error has an armed deadline', () => {
    fc.assert(
      fc.property(history, (steps) => {
        play(steps, (_before, after) => {
          const calm =
            after.status === 'idle' ||
            after.status === 'needs_review' ||
            after.status === 'error' ||
            after.wanted !== 'up';
          holds(calm || Object.keys(after.deadlines).length > 0, `nothing is armed for ${after.status}`);
        });
      }),
      { numRuns: RUNS },
    );
  });

  test('R1: given any history, who is in error has asked a person', () => {
    fc.assert(
      fc.property(history, (steps) => {
        play(steps, (_before, after) => {
          holds(
            after.status !== 'error' || after.incident?.escalated === true || after.dialog?.by === 'person',
            'in error, and nobody was asked',
          );
        });
      }),
      { numRuns: RUNS },
    );
  });

  test('R2: given any history, attempts stay within the budgets of incident and task, and each alternative is tried once', () => {
    const { maxTotalAttempts } = DEFAULT_POLICY.incident;
    fc.assert(
      fc.property(history, (steps) => {
        play(steps, (_before, { taskAttempts, incident }) => {
          holds(taskAttempts <= maxTotalAttempts, `${taskAttempts} attempts for one task`);
          const tried = incident?.tried.map(alternativeKey) ?? [];
          holds(new Set(tried).size === tried.length, `tried twice: ${tried.join(', ')}`);
        });
      }),
      { numRuns: RUNS },
    );
  });

  test('R6: given any history, the level of an incident only rises', () => {
    fc.assert(
      fc.property(history, (steps) => {
        play(steps, (before, after) => {
          const same = before.incident !== null && before.incident.id === after.incident?.id;
          holds(
            !same || (after.incident?.level ?? 0) >= (before.incident?.level ?? 0),
            'the level of an incident fell',
          );
        });
      }),
      { numRuns: RUNS },
    );
  });

  test('R8: given any history, the same observation twice gives the world of once', () => {
    fc.assert(
      fc.property(history, fc.double({ min: 0, max: 1, noNaN: true }), (steps, pick) => {
        const worker = play(steps, () => {});
        const now = 100_000_000;
        const event = likelyEvent(worker, now, pick);
        if (event.kind.endsWith('-ordered')) return;
        const context = contextAt(now, { connected: true, lease: 'free' });
        const once = decide(worker, event, context);
        const twice = decide(once.worker, event, context);
        expect(twice.worker.status).toBe(once.worker.status);
        expect(twice.worker.commandSeq - once.worker.commandSeq).toBeLessThanOrEqual(
          event.kind === 'deadline-expired' ? 0 : 1,
        );
        expect(twice.worker.crashes).toEqual(once.worker.crashes);
      }),
      { numRuns: RUNS },
    );
  });

  test('given enough histories, every move of the transition table is made', () => {
    const missing = new Set(TRANSITIONS.map(({ from, to }) => `${from}>${to}`));
    for (let seed = 0; seed < 30_000 && missing.size > 0; seed += 1)
      play({ seed, length: 300 }, (before, after) => missing.delete(`${before.status}>${after.status}`));

    expect([...missing]).toEqual([]);
  });

  test('given any history, a worker survives a round trip through JSON', () => {
    fc.assert(
      fc.property(history, (steps) => {
        play(steps, (_before, after) => {
          expect(JSON.parse(JSON.stringify(after))).toEqual(after);
        });
      }),
      { numRuns: 300 },
    );
  });
});

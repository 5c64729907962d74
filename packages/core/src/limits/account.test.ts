import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMIT_POLICY as POLICY } from '../policy/limits.ts';
import { decideAccount, OPEN_ACCOUNT } from './account.ts';
import type { AccountEvent } from './account.ts';

const MINUTE = 60_000;

/** Plays events, each at its time, with the same chance. Answers with the last decision. */
function play(events: readonly (readonly [number, AccountEvent])[], random = 0) {
  let decision = decideAccount(OPEN_ACCOUNT, { kind: 'woke' }, { now: 0, random });
  for (const [now, event] of events) decision = decideAccount(decision.state, event, { now, random });
  return decision;
}

function hit(worker: string, at: number, resetAt: number | null = null): readonly [number, AccountEvent] {
  return [at, { kind: 'limit-hit', worker, at, resetAt }];
}

function woke(at: number): readonly [number, AccountEvent] {
  return [at, { kind: 'woke' }];
}

function answered(worker: string, at: number): readonly [number, AccountEvent] {
  return [at, { kind: 'answered', worker, at }];
}

/** Returns every step of a history: the state before and after, the commands, and the time. */
function steps(given: readonly (readonly [number, AccountEvent])[], chance: number) {
  let state = OPEN_ACCOUNT;
  let now = 0;
  return given.map(([pause, what]) => {
    now += pause;
    const before = state;
    const decision = decideAccount(before, what, { now, random: chance });
    state = decision.state;
    return { before, what, now, decision };
  });
}

describe('pausing', () => {
  test('given an open account, when one worker hits a limit with a known reset, then it is paused until then plus a spread', () => {
    const { state, commands } = play([hit('adam', 1_000, 90 * MINUTE)], 0.5);

    expect(state).toMatchObject({ kind: 'paused', wakeAt: 90 * MINUTE + POLICY.spreadMs / 2, waiting: ['adam'] });
    expect(commands).toEqual([]);
  });

  test('given a limit without a reset, when probes fail again and again, then it waits 5, 10, 20, 40 min and then an hour', () => {
    const waits: number[] = [];
    let state = play([hit('adam', 0)]).state;
    for (let n = 0; n < 6 && state.kind === 'paused'; n += 1) {
      const { wakeAt } = state;
      waits.push((wakeAt - state.since) / MINUTE);
      state = decideAccount(state, { kind: 'woke' }, { now: wakeAt, random: 0 }).state;
      state = decideAccount(
        state,
        { kind: 'limit-hit', worker: 'adam', at: wakeAt, resetAt: null },
        { now: wakeAt, random: 0 },
      ).state;
    }

    expect(waits).toEqual([5, 10, 20, 40, 60, 60]);
  });

  test('given a paused account, when others hit the same limit, then they wait in line and the pause is not lengthened', () => {
    const { state } = play([hit('adam', 0), hit('eve', 10), hit('adam', 20), hit('eve', 30)]);

    expect(state).toMatchObject({ kind: 'paused', wakeAt: 5 * MINUTE, failedProbes: 0, waiting: ['adam', 'eve'] });
  });

  test('given a guessed pause, when another worker knows the reset, then that counts; an earlier one later does not', () => {
    const known = play([hit('adam', 0), hit('eve', 10, 120 * MINUTE)]).state;
    const still = play([hit('adam', 0), hit('eve', 10, 120 * MINUTE), hit('bob', 20, 30 * MINUTE)]).state;

    expect(known).toMatchObject({ wakeAt: 120 * MINUTE });
    expect(still).toMatchObject({ wakeAt: 120 * MINUTE, waiting: ['adam', 'eve', 'bob'] });
  });

  test('given words that stayed on the screen, when their reset has passed, then the pause is a guess and does not spin', () => {
    const { state } = play([hit('adam', 100 * MINUTE, 90 * MINUTE)]);

    expect(state).toMatchObject({ kind: 'paused', wakeAt: 105 * MINUTE, statedResetAt: null });
  });
});

describe('old news', () => {
  test('given an account that opened again, when a hit from before is heard, then it stays open and that worker goes on', () => {
    const start = 5 * MINUTE;
    const opened = [hit('adam', 0), woke(start), answered('adam', start + 10)] as const;
    const late: readonly [number, AccountEvent] = [
      start + 20,
      { kind: 'limit-hit', worker: 'eve', at: start, resetAt: null },
    ];

    const { state, commands } = play([...opened, late]);

    expect(state).toEqual({ kind: 'open', since: start + 10 });
    expect(commands).toEqual([{ kind: 'resume', worker: 'eve', at: start + 20 }]);
  });
});

describe('probing', () => {
  const paused = [hit('adam', 0), hit('eve', 10), hit('bob', 20)];

  test('given a pause that is over, when it wakes, then the first in line probes alone', () => {
    const early = play([...paused, woke(5 * MINUTE - 1)]);
    const { state, commands } = play([...paused, woke(5 * MINUTE)]);

    expect(early.commands).toEqual([]);
    expect(commands).toEqual([{ kind: 'probe', worker: 'adam' }]);
    expect(state).toMatchObject({ kind: 'probing', probe: 'adam', waiting: ['eve', 'bob'] });
  });

  test('given a probe, when it gets an answer, then the account is open and the rest go on one after another', () => {
    const { state, commands } = play([...paused, woke(5 * MINUTE), answered('adam', 5 * MINUTE + 1)]);

    expect(state.kind).toBe('open');
    expect(commands).toEqual([
      { kind: 'resume', worker: 'eve', at: 5 * MINUTE + 1 },
      { kind: 'resume', worker: 'bob', at: 5 * MINUTE + 1 + POLICY.staggerMs },
    ]);
  });

  test('given a probe, when others speak or old news of it arrive, then it goes on', () => {
    const start = 5 * MINUTE;
    const { state } = play([
      ...paused,
      woke(start),
      hit('eve', start + 1),
      answered('eve', start + 1),
      [start + 2, { kind: 'limit-hit', worker: 'adam', at: start - 1, resetAt: null }],
      [start + 2, { kind: 'answered', worker: 'adam', at: start - 1 }],
    ]);

    expect(state).toMatchObject({ kind: 'probing', probe: 'adam', failedProbes: 0 });
  });

  test('given a probe that says nothing in time, when it wakes, then the next in line probes', () => {
    const { commands, state } = play([...paused, woke(5 * MINUTE), woke(5 * MINUTE + POLICY.probeTimeoutMs)]);

    expect(commands).toEqual([{ kind: 'probe', worker: 'eve' }]);
    expect(state).toMatchObject({ waiting: ['bob', 'adam'] });
  });

  test('given a probe that is taken away, when others wait, then the next probes at once; if nobody does, the account opens', () => {
    const left: AccountEvent = { kind: 'worker-left', worker: 'adam' };

    expect(play([...paused, woke(5 * MINUTE), [5 * MINUTE + 1, left]]).commands).toEqual([
      { kind: 'probe', worker: 'eve' },
    ]);
    expect(play([hit('adam', 0), woke(5 * MINUTE), [5 * MINUTE + 1, left]]).state.kind).toBe('open');
  });

  test('given a person who knows that the limit is over, when they say so, then all go on', () => {
    const { state, commands } = play([...paused, [30, { kind: 'person-resumed' }]]);

    expect(state.kind).toBe('open');
    expect(commands.map((command) => command.worker)).toEqual(['adam', 'eve', 'bob']);
  });
});

describe('whatever happens', () => {
  const worker = fc.constantFrom('adam', 'eve', 'bob');
  const time = fc.integer({ min: 0, max: 10 * 60 * MINUTE });
  const event: fc.Arbitrary<AccountEvent> = fc.oneof(
    fc.record({ kind: fc.constant('limit-hit' as const), worker, at: time, resetAt: fc.option(time) }),
    fc.record({ kind: fc.constant('woke' as const) }),
    fc.record({ kind: fc.constant('answered' as const), worker, at: time }),
    fc.record({ kind: fc.constant('worker-left' as const), worker }),
  );
  const history = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 * MINUTE }), event), { minLength: 5, maxLength: 40 });
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  test('L1 L2 L4: given any history, then only a probe or an opening lets workers go on, one probes at a time, and someone always wakes', () => {
    fc.assert(
      fc.property(history, random, (given, chance) => {
        for (const { before, decision, now } of steps(given, chance)) {
          const { state, commands } = decision;
          const probes = commands.filter(({ kind }) => kind === 'probe');
          expect(probes.length).toBeLessThanOrEqual(1);
          if (probes.length === 1) expect(state).toMatchObject({ kind: 'probing', probe: probes[0]?.worker });
          if (commands.some(({ kind }) => kind === 'resume')) expect(state.kind).toBe('open');
          if (state.kind === 'paused' && before.kind !== 'paused') expect(state.wakeAt).toBeGreaterThan(now);
          if (state.kind !== 'open') {
            expect(Number.isFinite(state.wakeAt)).toBe(true);
            expect(new Set(state.waiting).size).toBe(state.waiting.length);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('L3: given any history, when an event comes twice at once, then the second changes nothing and nobody is resumed twice', () => {
    fc.assert(
      fc.property(history, random, (given, chance) => {
        for (const { what, now, decision } of steps(given, chance)) {
          const again = decideAccount(decision.state, what, { now, random: chance });

          expect(again.state).toEqual(decision.state);
          const oldNews = what.kind === 'limit-hit' && decision.state.kind === 'open';
          expect(again.commands).toEqual(oldNews ? decision.commands : []);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('given any history, when a guessed pause begins, then it is never below the backoff and never above the cap with its jitter', () => {
    const { firstDelayMs, capMs, jitter } = POLICY.unknownReset;
    fc.assert(
      fc.property(history, random, (given, chance) => {
        for (const { before, decision, now } of steps(given, chance)) {
          const { state } = decision;
          if (state.kind !== 'paused' || before.kind === 'paused' || state.statedResetAt !== null) continue;
          expect(state.wakeAt - now).toBeGreaterThanOrEqual(Math.min(firstDelayMs * 2 ** state.failedProbes, capMs));
          expect(state.wakeAt - now).toBeLessThanOrEqual(capMs * (1 + jitter));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('given any history, when a worker waits, then it was hit, and it is lost by nothing but leaving, probing or going on', () => {
    fc.assert(
      fc.property(history, random, (given, chance) => {
        for (const { before, what, decision } of steps(given, chance)) {
          if (before.kind === 'open') continue;
          const { state, commands } = decision;
          const held = before.kind === 'probing' ? [...before.waiting, before.probe] : before.waiting;
          const known = new Set(commands.map((command) => command.worker));
          if (state.kind !== 'open')
            for (const name of state.kind === 'probing' ? [...state.waiting, state.probe] : state.waiting)
              known.add(name);
          if (what.kind === 'worker-left') known.add(what.worker);
          if (what.kind === 'answered') known.add(what.worker);
          expect(held.filter((name) => !known.has(name))).toEqual([]);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

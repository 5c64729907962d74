/** Proves that every recorded history is reproduced exactly, and that the replay detects mistakes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide } from '../decide.ts';
import { UTC } from '../limits/calendar.ts';
import { policyWith } from '../policy/override.ts';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import type { Policy } from '../policy/policy.ts';
import { play, someHistory } from '../testing/history.ts';
import type { Decide, History, Watch } from '../testing/history.ts';
import { working } from '../testing/story.ts';
import { outcomeText } from './recorded.ts';
import type { DecisionFacts, RecordedDecision } from './recorded.ts';
import { REPLAY_BEGIN, replayStep } from './replay.ts';
import type { ReplayRules, ReplayStep } from './replay.ts';

const RUNS = 30;
/** Number of decisions between two kept workers. */
const KEPT_EVERY = 10;

const OTHER = changed({ crash: { countMax: 1 }, nudge: { firstMs: 60_000 }, checkEveryMs: 5_000 });
const POLICIES = new Map<string, Policy>([
  ['default', DEFAULT_POLICY],
  ['other', OTHER],
]);
const SAME: ReplayRules = { policyOf: (version) => POLICIES.get(version) ?? null, other: null, digest: (text) => text };

function changed(changes: Parameters<typeof policyWith>[0]): Policy {
  const outcome = policyWith(changes);
  if (outcome.kind === 'invalid') throw new Error(outcome.problems.map(({ message }) => message).join());
  return outcome.policy;
}

/** Plays a history and records it as a store would, the policy being changed half-way. */
function recorded(history: History, versions: readonly [string, string]): readonly RecordedDecision[] {
  const kept: RecordedDecision[] = [];
  const version = (): string => versions[kept.length < history.length / 2 ? 0 : 1];
  const under: Decide = (worker, event, ctx) =>
    decide(worker, event, { ...ctx, policy: POLICIES.get(version()) ?? DEFAULT_POLICY });
  const keep: Watch = ({ before: worker, event, ctx, decision }) => {
    const { policy: _ofHistory, ...facts } = ctx;
    const id = kept.length;
    const before = id % KEPT_EVERY === 0 ? worker : null;
    kept.push(stored({ id, event, facts, policy: version(), outcome: outcomeText(decision), before }));
    return null;
  };
  play(under, keep, history);
  return kept;
}

/** Stores a row through JSON, and with the keys of every object in another order, as a database returns it. */
function stored(row: RecordedDecision): RecordedDecision {
  return JSON.parse(JSON.stringify(row), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toReversed())
      : value,
  );
}

function replayed(rows: readonly RecordedDecision[], rules: ReplayRules): readonly ReplayStep[] {
  let state = REPLAY_BEGIN;
  return rows.map((row) => {
    const next = replayStep(state, row, rules);
    ({ state } = next);
    return next.step;
  });
}

/** Compares more cheaply than an assertion, of which a property makes hundreds of thousands. */
function expectExact(step: ReplayStep): void {
  if (step.kind === 'skipped' || step.differences.length + step.passed.length > 0) expect(step).toEqual(exact);
}

const exact: ReplayStep = { kind: 'reproduced', differences: [], passed: [], isFirst: false };

describe('replay', () => {
  test('given any history, when it is decided again under its own policies, then every decision comes out the same', () => {
    fc.assert(
      fc.property(someHistory, (steps) => {
        for (const step of replayed(recorded(steps, ['default', 'other']), SAME)) expectExact(step);
      }),
      { numRuns: RUNS },
    );
  });

  test('given any history, when it is compared with the policy that it had, then nothing differs', () => {
    fc.assert(
      fc.property(someHistory, (steps) => {
        const rows = recorded(steps, ['default', 'default']);
        for (const step of replayed(rows, { ...SAME, other: DEFAULT_POLICY })) expectExact(step);
      }),
      { numRuns: RUNS },
    );
  });

  test('given any history, when it begins in the middle, then it is followed from the next worker that was kept', () => {
    fc.assert(
      fc.property(someHistory, fc.integer({ min: 1, max: 25 }), (steps, cut) => {
        const rows = recorded(steps, ['default', 'other']).slice(cut);
        const begin = rows.findIndex(({ before }) => before !== null);
        for (const [index, step] of replayed(rows, SAME).entries()) {
          if (begin >= 0 && index >= begin) expectExact(step);
          else expect(step).toEqual({ kind: 'skipped', why: 'no-worker-before' });
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('given histories with one event left out, when they are decided again, then it is noticed unless the next one made up for it', () => {
    let noticed = 0;
    let mattered = 0;
    for (let seed = 0; seed < 80; seed += 1) {
      const all = recorded({ seed, length: 19 }, ['default', 'default']);
      const [earlier, left] = [all[12], all[13]];
      if (earlier === undefined || left === undefined || all.length < 19) continue;
      if (workerIn(earlier) === workerIn(left)) continue;
      mattered += 1;
      if (
        replayed(
          all.filter((row) => row !== left),
          SAME,
        ).some(({ kind }) => kind === 'skipped')
      )
        noticed += 1;
    }

    expect(mattered).toBeGreaterThan(20);
    expect(noticed).toBeGreaterThan(mattered / 2);
  });

  test('given a policy that restarts once less, when a crash is decided again, then the first difference is that crash', () => {
    const rows = crashes();

    const steps = replayed(rows, { ...SAME, other: changed({ crash: { countMax: 1 } }) });

    const first = steps.findIndex((step) => step.kind === 'reproduced' && step.isFirst);
    expect(rows[first]?.event.kind).toBe('pane-exited');
    expect(steps[first]).toMatchObject({
      differences: expect.arrayContaining([{ what: 'status', was: 'working', wouldBe: 'error' }]),
    });
    expect(steps.slice(0, first).every((step) => step.kind === 'reproduced' && step.differences.length === 0)).toBe(
      true,
    );
  });

  test('given a version that nobody kept, when its decision comes, then it is skipped and said so', () => {
    const [row] = recorded({ seed: 1, length: 1 }, ['default', 'default']);
    if (row === undefined) throw new Error('nothing was recorded');

    expect(replayed([{ ...row, policy: 'gone' }], SAME)).toEqual([{ kind: 'skipped', why: 'policy-unknown' }]);
  });
});

/** Returns the worker after a decision, as text. */
function workerIn({ outcome }: RecordedDecision): string {
  return outcome.slice(outcome.indexOf('"worker":'));
}

/** Records a worker that works, and whose program ends with a status that is no user's. */
function crashes(): readonly RecordedDecision[] {
  const story = working();
  const exit = { incarnation: story.incarnation, status: 2, signal: null, lastLines: [], limit: null, at: 1 };
  const facts: DecisionFacts = {
    now: story.now + 10,
    fresh: '00000000-0000-7000-8000-000000000001',
    machineConnected: true,
    random: 0.5,
    zone: UTC,
    profile: 'sim',
    trust: {},
  };
  const calm = { kind: 'default-branch-moved' } as const;
  const events = [calm, { kind: 'pane-exited', exit } as const];
  let { worker } = story;
  return events.map((event, id) => {
    const before = id === 0 ? worker : null;
    const known = { merge: { lease: 'free' }, ways: { othersIdle: 0 } } as const;
    const decision = decide(worker, event, { ...facts, ...known, policy: DEFAULT_POLICY });
    ({ worker } = decision);
    return stored({ id, event, facts, policy: 'default', outcome: outcomeText(decision), before });
  });
}

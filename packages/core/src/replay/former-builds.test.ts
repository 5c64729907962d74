/** What is made of a history that a build recorded whose accepts and orders of a merge named no commit? */
import { expect, test } from 'vitest';
import { tellEvent } from '../decide/explain.ts';
import { UTC } from '../limits/calendar.ts';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import { inReview } from '../testing/story.ts';
import type { WorkerEvent } from '../worker/event.ts';
import type { Worker } from '../worker/worker.ts';
import type { DecisionFacts, RecordedDecision } from './recorded.ts';
import { REPLAY_BEGIN, replayStep } from './replay.ts';
import type { ReplayRules, ReplayStep } from './replay.ts';

const RULES: ReplayRules = { policyOf: () => DEFAULT_POLICY, other: null, digest: (text) => text };

/** The steps of a merge, each with what a machine of that time answered. */
const MERGE = [
  ['rebase', { kind: 'rebased', base: 'aaaa', head: 'cccc', moved: true }],
  ['validate', { kind: 'valid' }],
  ['squash', { kind: 'squashed', commit: 'dddd', expected: 'aaaa' }],
  ['fast-forward', { kind: 'merged', commit: 'dddd' }],
  ['close', { kind: 'closed' }],
  ['recycle', { kind: 'recycled', base: 'dddd' }],
] as const;

test('given a history with an accept of then, when it is decided again, then it can be told, and from there on it is not followed', () => {
  const accepted = former({ kind: 'accept-ordered' });
  const results = MERGE.map(([, result], index) => former({ kind: 'command-finished', seq: 10 + index, result }));
  const rows = [{ ...accepted, before: inReview().worker }, ...results];

  for (const other of [null, DEFAULT_POLICY])
    expect(replayed(rows, { ...RULES, other })).toEqual([
      { kind: 'skipped', why: 'not-reproduced' },
      ...results.map(() => ({ kind: 'skipped', why: 'no-worker-before' })),
    ]);
  expect(tellEvent(accepted.event)).toBe('a person ordered "accept"');
});

test.each(MERGE)(
  'given a worker that was kept at "%s" of a merge of then, when what follows is decided again, then nothing fails',
  (step, result) => {
    const rows = [
      { ...former({ kind: 'default-branch-moved' }), before: mergingFormerly(step) },
      { ...former({ kind: 'accept-ordered' }), before: mergingFormerly(step) },
      { ...former({ kind: 'command-finished', seq: 10, result }), before: mergingFormerly(step) },
      { ...former({ kind: 'deadline-expired', name: 'command' }), before: mergingFormerly(step) },
    ];

    for (const other of [null, DEFAULT_POLICY])
      expect(replayed(rows, { ...RULES, other })).toEqual(rows.map(() => ({ kind: 'skipped', why: 'not-reproduced' })));
    expect(rows.map(({ event }) => tellEvent(event)).every((said) => said.length > 0)).toBe(true);
  },
);

function replayed(rows: readonly RecordedDecision[], rules: ReplayRules): readonly ReplayStep[] {
  let state = REPLAY_BEGIN;
  return rows.map((row) => {
    const next = replayStep(state, row, rules);
    ({ state } = next);
    return next.step;
  });
}

/** A decision as a database gives it back. No build of now takes it as it was taken then. */
function former(event: Readonly<Record<string, unknown>>): RecordedDecision {
  const facts: DecisionFacts = {
    now: 2_000_000,
    fresh: '00000000-0000-7000-8000-000000000001',
    mergeLease: 'mine',
    machineConnected: true,
    random: 0.5,
    zone: UTC,
    profile: 'sim',
    othersIdle: 0,
  };
  return {
    id: 1,
    event: event as unknown as WorkerEvent,
    facts,
    policy: 'then',
    outcome: 'as decided then',
    before: null,
  };
}

function mergingFormerly(step: string): Worker {
  const worker = {
    ...inReview().worker,
    inFlight: {
      seq: 10,
      op: { kind: step, base: 'aaaa', expected: 'aaaa', commit: 'dddd' },
      since: 1,
      dueAt: 2,
      overdue: 0,
    },
    commandSeq: 10,
    accept: { step, base: 'aaaa', commit: 'dddd', expected: 'aaaa', since: 1 },
  };
  return worker as unknown as Worker;
}

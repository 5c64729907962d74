/** Histories of former builds: a worker that was kept flat, and a merge whose commands named no commit. */
import { expect, test } from 'vitest';
import { tellEvent } from '../explain/tell.ts';
import { UTC } from '../limits/calendar.ts';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import { GIT, inReview, READY } from '../testing/story.ts';
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
  expect(tellEvent(accepted.event)).toBe('a person asked for "accept"');
});

test.each(MERGE)(
  'given a worker that was kept at "%s" of a merge of then, when what follows is decided again, then nothing fails and nothing is followed',
  (step, result) => {
    const rows = [
      { ...former({ kind: 'default-branch-moved' }), before: mergingFormerly(step) },
      { ...former({ kind: 'accept-ordered' }), before: mergingFormerly(step) },
      { ...former({ kind: 'command-finished', seq: 10, result }), before: mergingFormerly(step) },
      { ...former({ kind: 'deadline-expired', name: 'command' }), before: mergingFormerly(step) },
    ];

    for (const other of [null, DEFAULT_POLICY])
      expect(replayed(rows, { ...RULES, other })).toEqual(
        rows.map(() => ({ kind: 'skipped', why: 'no-worker-before' })),
      );
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

/** A worker as it was kept before its fields were slices: flat, and with a merge whose commands named no commit. */
function mergingFormerly(step: string): Worker {
  const worker = {
    status: 'needs_review',
    before: 'idle',
    wanted: 'up',
    worktree: { kind: 'ready', base: 'aaaa' },
    resetDue: false,
    pane: { kind: 'up', incarnation: '1.1.%1.1', since: 1 },
    seen: { at: 1, state: READY, fingerprint: 'ready', progress: '1', rule: 'test' },
    git: { ...GIT, head: 'bbbb', ahead: 1, subject: 'work' },
    conversation: { id: 'talk', used: true },
    respawnDue: false,
    doubt: null,
    task: { id: 't1', prompt: 'make it so', text: 'make it so', startedAt: 1, headBefore: 'aaaa', taken: true },
    outgoing: null,
    backlog: [],
    queued: [],
    turnSince: null,
    turnUnseen: false,
    restoreDue: false,
    judgeDue: false,
    rebaseDue: false,
    holdUntil: null,
    failures: 0,
    inFlight: {
      seq: 10,
      op: { kind: step, base: 'aaaa', expected: 'aaaa', commit: 'dddd' },
      since: 1,
      dueAt: 2,
      overdue: 0,
    },
    commandSeq: 10,
    crashes: { count: 0, lastAt: 0 },
    startFailures: 0,
    progress: { mark: '1', at: 1, nudges: 0 },
    trouble: null,
    incident: null,
    taskAttempts: 0,
    coolUntil: null,
    dialog: null,
    answered: [],
    takenOver: false,
    account: null,
    checkpoint: null,
    checkpointTriedAt: 1,
    checkpointDue: null,
    restoreFrom: null,
    conflicts: null,
    accept: { step, base: 'aaaa', commit: 'dddd', expected: 'aaaa', since: 1 },
    note: 'committed "work"',
    deadlines: { command: 2 },
  };
  return worker as unknown as Worker;
}

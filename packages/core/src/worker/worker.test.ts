/** Lists the fields that each cause resets in each slice. */
import { describe, expect, test } from 'vitest';
import type { AgentState } from '../agent-state.ts';
import { changeSlices } from '../testing/change.ts';
import type { Changes } from '../testing/change.ts';
import { ACCEPT, DOUBT, LADEN, QUEUED, reading, REVIEWING, TASK, WAITING } from '../testing/laden.ts';
import { READY } from '../testing/story.ts';
import type { Session } from './session.ts';
import type { Cause } from './slice.ts';
import { fold, newWorker } from './worker.ts';

const NOW = 100;

const TURN_OVER: Changes['turn'] = { phase: { kind: 'none' }, background: null, judgeDue: false };
const NO_TEXT: Changes['mailbox'] = { current: null, waiting: [], queued: [] };
/** Puts the texts of the program's own queue after the text on its way, and before the waiting texts. */
const REQUEUED: Changes['mailbox'] = { waiting: [QUEUED, WAITING], queued: [] };
const NO_FAILURES: Changes['session'] = { startFailures: 0, crashes: { count: 0, lastAt: 0 } };

/** The budget of the task is over; what a person allowed of others stays. */
const OF_NEXT_TASK: Changes['budget'] = { mark: { kind: 'open' }, allowed: { day: { share: null, until: 95 } } };

/** Fields of work that is not checked any more. */
const NO_REVIEW = { rebaseDue: false, resolutionDue: false } as const;
const NO_MERGE = {
  ...NO_REVIEW,
  step: { kind: 'none' },
  candidate: null,
  checks: null,
  why: '',
  notes: [],
  conflicts: null,
  sentBack: null,
  gaveUp: null,
} as const;

/** Changes of each cause, field by field; it changes nothing else. */
const RESETS: Readonly<Record<Cause, Changes>> = {
  'task-begun': {
    lifecycle: { takenOver: false },
    command: { failures: 0 },
    worktree: { resetDue: true },
    session: { conversation: null, replacement: { kind: 'due' } },
    turn: { ...TURN_OVER, progress: { mark: null, at: NOW, nudges: 0 } },
    mailbox: { ...NO_TEXT, restoreDue: false },
    task: { kind: 'none' },
    merge: NO_MERGE,
    dialog: { answered: [] },
    budget: OF_NEXT_TASK,
    checkpoint: { last: null, triedAt: NOW },
    incident: { trouble: null },
  },
  'task-ended': {
    lifecycle: { takenOver: false },
    command: { failures: 0 },
    turn: TURN_OVER,
    mailbox: { ...NO_TEXT, restoreDue: false },
    task: { kind: 'none' },
    merge: NO_MERGE,
    budget: OF_NEXT_TASK,
    checkpoint: { restore: null },
  },
  'session-opened': {
    session: { replacement: { kind: 'none' }, interrupt: null },
    mailbox: REQUEUED,
    dialog: { inHand: null },
  },
  'session-lost': {
    session: { replacement: { kind: 'none' }, interrupt: null },
    turn: TURN_OVER,
    mailbox: REQUEUED,
  },
  'worktree-lost': {
    worktree: { place: { kind: 'none' }, supplies: null, setUp: null },
    turn: TURN_OVER,
  },
  'restore-begun': {
    merge: {
      ...NO_REVIEW,
      conflicts: { key: 'a', times: 2, orig: 'aaaa', onto: 'dddd', open: false, told: ['in-progress'] },
    },
    turn: TURN_OVER,
    mailbox: REQUEUED,
    incident: { trouble: null },
  },
  'budget-renewed': {
    command: { failures: 0 },
    session: NO_FAILURES,
    task: { ...TASK, attempts: 0 },
  },
  'person-resumed': {
    lifecycle: { takenOver: false },
    command: { failures: 0, holdUntil: null },
    session: { ...NO_FAILURES, replacement: { kind: 'none' } },
    turn: { progress: { mark: 'm', at: NOW, nudges: 0 } },
    task: { ...TASK, attempts: 0 },
    merge: NO_REVIEW,
    dialog: { inHand: null, answered: [] },
    incident: { coolUntil: null, trouble: null },
  },
  'given-up': {
    lifecycle: { takenOver: false },
    command: { failures: 0 },
    session: { replacement: { kind: 'none' } },
    turn: TURN_OVER,
    mailbox: NO_TEXT,
    checkpoint: { restore: null },
    incident: { trouble: null },
  },
};

/** Fields that a cause sets for a worker that has nothing in hand. All other causes leave it as it is. */
const SETS: Readonly<Partial<Record<Cause, Changes>>> = {
  'task-begun': {
    worktree: { resetDue: true },
    turn: { progress: { mark: null, at: NOW, nudges: 0 } },
    checkpoint: { triedAt: NOW },
  },
  'person-resumed': { turn: { progress: { mark: null, at: NOW, nudges: 0 } } },
};

const CAUSES = Object.keys(RESETS) as readonly Cause[];

describe('a cause', () => {
  test.each(CAUSES)(
    'given a worker with everything in hand, when "%s" happens, then exactly its fields are reset',
    (cause) => {
      const when = fold(LADEN, cause, { now: NOW });

      expect(when).toEqual(changeSlices(LADEN, RESETS[cause]));
    },
  );

  test.each(CAUSES)('given a new worker, when "%s" happens, then nothing is taken from it', (cause) => {
    const when = fold(newWorker(), cause, { now: NOW });

    expect(when).toEqual(changeSlices(newWorker(), SETS[cause] ?? {}));
  });

  test.each(CAUSES)(
    'given a worker that "%s" has happened to, when it happens again at once, then nothing changes',
    (cause) => {
      const once = fold(LADEN, cause, { now: NOW });

      expect(fold(once, cause, { now: NOW })).toEqual(once);
    },
  );
});

const UP = { kind: 'up', incarnation: 'i1', since: 20, seen: reading(READY) } as const;
const DEAD = { kind: 'dead', incarnation: 'i1', restartAt: null } as const;

describe('what a cause asks of the session', () => {
  test.each<[string, Cause, Partial<Session>, Partial<Session>]>([
    ['a dead program', 'task-begun', { pane: DEAD }, { pane: { ...DEAD, restartAt: NOW } }],
    ['a dead program', 'person-resumed', { pane: DEAD }, { pane: { ...DEAD, restartAt: NOW } }],
    ['a program to be replaced', 'person-resumed', { replacement: { kind: 'due' } }, { replacement: { kind: 'due' } }],
    ['a program in doubt', 'person-resumed', doubted(true), { replacement: { kind: 'none' } }],
    [
      'a program that shows only its start',
      'person-resumed',
      shows({ kind: 'starting' }),
      { replacement: { kind: 'due' } },
    ],
    [
      'a program that was not seen',
      'person-resumed',
      { pane: { ...UP, seen: null } },
      { replacement: { kind: 'due' } },
    ],
    [
      'a conversation that took no prompt',
      'task-begun',
      { conversation: { id: 'talk', used: false }, replacement: { kind: 'none' } },
      { conversation: { id: 'talk', used: false }, replacement: { kind: 'none' } },
    ],
    [
      'a doubt that is to close the session and not to restart it',
      'task-begun',
      { ...doubted(false), conversation: null },
      { replacement: { kind: 'none' } },
    ],
    ['a living program', 'worktree-lost', { replacement: { kind: 'none' } }, { replacement: { kind: 'due' } }],
    ['no program', 'worktree-lost', { pane: DEAD, replacement: { kind: 'due' } }, { replacement: { kind: 'none' } }],
    ['a doubt', 'worktree-lost', doubted(false), doubted(true)],
    ['a program that is starting', 'given-up', { pane: { ...UP, kind: 'starting' } }, { pane: UP }],
  ])('given %s, when "%s" happens, then its session is as it should be', (_what, cause, given, then) => {
    const { session } = fold(changeSlices(LADEN, { session: given }), cause, { now: NOW });

    expect(session).toMatchObject(then);
  });
});

test('given an accept that waits for its turn, when the worker is given up, then the accept ends; one that merges goes on', () => {
  const waiting = changeSlices(LADEN, { merge: { step: { kind: 'waiting', accept: ACCEPT, notBefore: null } } });

  expect(fold(waiting, 'given-up', { now: NOW }).merge).toEqual({
    ...LADEN.merge,
    ...NO_REVIEW,
    step: { kind: 'none' },
    stopped: true,
  });
  expect(fold(LADEN, 'given-up', { now: NOW }).merge).toEqual(LADEN.merge);
});

test.each(['restore-begun', 'person-resumed'] as const)(
  'given work that is checked, when "%s" happens, then it is checked no more',
  (cause) => {
    const checked = changeSlices(LADEN, { merge: { step: REVIEWING } });

    expect(fold(checked, cause, { now: NOW }).merge).toMatchObject({ ...NO_REVIEW, step: { kind: 'none' } });
  },
);

test('given work that is checked, when the worker is given up, then it is checked no more, and a retry repeats that alone', () => {
  const checked = changeSlices(LADEN, { merge: { step: REVIEWING, resolutionDue: false } });

  expect(fold(checked, 'given-up', { now: NOW }).merge).toMatchObject({ step: { kind: 'none' }, stopped: true });
});

test('given no text on its way, when the session is gone, then what its program had queued goes first', () => {
  const { mailbox } = fold(changeSlices(LADEN, { mailbox: { current: null } }), 'session-lost', { now: NOW });

  expect(mailbox).toEqual({ current: QUEUED, waiting: [WAITING], queued: [], restoreDue: true });
});

function shows(state: AgentState): Partial<Session> {
  return { pane: { kind: 'up', incarnation: 'i1', since: 20, seen: reading(state) } };
}

function doubted(restart: boolean): Partial<Session> {
  return { replacement: { kind: 'doubted', doubt: DOUBT, restart } };
}

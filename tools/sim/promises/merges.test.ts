// Checks that the checker sees each promise about workers, merges, answers and cancelled tasks; `tampering.nightly.test.ts` shows that schedules break them.
import { newWorker } from '@drover/core';
import type { Accept, MergeStep, Train, Worker } from '@drover/core';
import { expect, test } from 'vitest';
import type { CheckRun } from '../machine/parts.ts';
import { expectJudged, rowOf, type Told, watched } from './watched.ts';

const NEW = newWorker();
const TRAIN: Train = {
  conductor: { id: 'w', name: 'w' },
  members: [{ id: 'v', name: 'v', pin: { head: 'h', tree: null } }],
};
const ACCEPT: Accept = { pin: { head: 'h', tree: null }, nothing: false, since: 0, runs: [], red: null, maybe: null };
const BUILDING: MergeStep = { kind: 'building', accept: ACCEPT, moved: 0, on: null, train: null };
const ABOARD: MergeStep = { kind: 'aboard', accept: ACCEPT, conductor: { id: 'v', name: 'v', place: 2, of: 2 } };
const FAILED: CheckRun = { isPassed: false, tree: 'main w', before: 'main', worker: 'w' };
const PASSED: CheckRun = { isPassed: true, tree: 'main', before: null, worker: undefined };
const OF_W = { workerId: 'w', workerName: 'w' } as const;
const DELIVER = { kind: 'deliver', text: 'please do #1#', incarnation: '1.1.%1.1', purpose: 'task' };

function committed(state: Partial<Worker>): Told {
  return ({ database, checker }) => {
    const lifecycle = { ...NEW.lifecycle, status: 'idle' as const };
    database.workers.set('w', rowOf({ lifecycle, ...state }));
    checker.committed();
  };
}

/** Work of the worker is accepted as far as this step. */
function accepting(step: MergeStep): Told {
  return committed({ lifecycle: { ...NEW.lifecycle, status: 'needs_review' }, merge: { ...NEW.merge, step } });
}

function accepted(workerId: string, ...works: readonly string[]): Told {
  return ({ checker: { merges } }) => {
    for (const work of works) merges.noteReview(workerId, work);
    merges.noteAcceptRequest(workerId);
  };
}

function merged(workerId: string, ...works: readonly string[]): Told {
  return mergedAs('checked', workerId, ...works);
}

/** @param tree The files that it makes of the default branch. */
function mergedAs(tree: string, workerId: string, ...works: readonly string[]): Told {
  return ({ checker }) => checker.merged(workerId, { works, tree, projectId: 'p' });
}

/** Its work was put on this commit. */
function builtOn(base: string): Told {
  return committed({ merge: { ...NEW.merge, candidate: { kind: 'clash', head: 'h', base, files: [] } } });
}

function made(work: string, workerId: string): Told {
  return ({ checker }) => checker.worked(work, { projectId: 'p', workerId });
}

function ran(...runs: readonly CheckRun[]): Told {
  return ({ checker }) => runs.forEach((run) => checker.checked(run));
}

function blamed(rule: 'train:blame' | 'train:culprit'): Told {
  return ({ checker }) => checker.merges.checkBlame({ ...OF_W, rules: [rule] }, undefined);
}

/** Its new work fails on a default branch. @param began The one on which it was begun. */
function sentBack(base: string, began: string): Told {
  const merge = { ...NEW.merge, candidate: { kind: 'clash', head: 'h', base, files: [] } as const };
  const worktree = { ...NEW.worktree, place: { kind: 'ready', base: began } as const };
  return ({ checker }) => checker.merges.checkBlame({ ...OF_W, rules: ['review:invalid'] }, rowOf({ worktree, merge }));
}

const dropped: Told = ({ checker }) => checker.merges.mainRewritten('kept', { projectId: 'p', dropped: ['work-1'] });

/** An accept that comes to its end in the next commit. */
function ending(done: Extract<MergeStep, { kind: 'recycling' }>['done']): Told {
  return (parts) => {
    parts.database.projects.set('p', { mergeWorkerId: 'w' } as never);
    committed({ merge: { ...NEW.merge, step: { kind: 'recycling', accept: ACCEPT, done } } })(parts);
  };
}

function replied(requestId: string, reply: Parameters<ReturnType<typeof watched>['checker']['replied']>[1]): Told {
  return ({ checker }) => checker.replied(requestId, reply);
}

function won(asked: number) {
  return { kind: 'ok', value: { id: 'e', asked } } as const;
}

/** The task with the words #1# is cancelled after command 3 of its worker. */
const cancelled: Told = (parts) => {
  const { database, checker } = parts;
  database.tasks.set('t', { id: 't', prompt: 'please do #1#' } as never);
  committed({ command: { ...NEW.command, seq: 3 } })(parts);
  const event = { kind: 'cancel-requested', id: 'c', task: 't', by: 'ana' } as const;
  const row = { id: 1, ...OF_W, event, reply: { kind: 'accepted' }, statusBefore: 'working', rules: [], records: [] };
  database.events.set(1, { ...row, decided: null } as never);
  checker.committed();
};

/** The same words are given again, and are being typed. */
const givenAgain: Told = (parts) => {
  parts.database.tasks.set('again', { id: 'again', prompt: 'please do #1#' } as never);
  committed(typing(4, inHand('again')))(parts);
};

function typing(seq: number, task = NEW.task): Partial<Worker> {
  return { task, command: { ...NEW.command, seq, inFlight: { seq, command: DELIVER, startedAt: 0 } as never } };
}

function inHand(id: string): Worker['task'] {
  return { kind: 'in-hand', id } as never;
}

test.each<[string, readonly Told[], string | null]>([
  [
    'a worker at work without a deadline (R1)',
    [committed({ lifecycle: { ...NEW.lifecycle, status: 'working' } })],
    'R1',
  ],
  ['one crash too many (R2)', [committed({ session: { ...NEW.session, crashes: { count: 4, lastAt: 0 } } })], 'R2'],
  ['a deadline that is no due work', [committed({ deadlines: { check: 5 } })], 'is not due work'],
  ['a merge without the lease', [accepting(BUILDING)], 'without the lease'],
  ['a worker aboard of nobody', [accepting(ABOARD)], 'aboard of no train'],
  ['a train with one who goes by itself', [accepting({ ...BUILDING, train: TRAIN })], 'who is not aboard'],
  [
    'an accept whose time changes',
    [1, 2].map((since) => accepting({ kind: 'waiting', accept: { ...ACCEPT, since }, notBefore: null })),
    'of another time',
  ],
  [
    'work that no person accepted',
    [({ checker }) => checker.merges.noteReview('w', 'work-1'), merged('w', 'work-1')],
    'without an accept',
  ],
  ['work that no person has seen (G2)', [accepted('w'), merged('w', 'w1')], 'w1 is merged unseen'],
  [
    'files on which no checks passed (G3)',
    [accepted('w', 'w1'), mergedAs('other', 'w', 'w1')],
    'files are merged that no checks passed on',
  ],
  ['work that stands on main (G1)', [builtOn('main')], null],
  ['work that stands elsewhere (G1)', [builtOn('lost')], 'builds on lost, which main never was'],
  [
    'a main that loses a commit (G4)',
    [({ checker }) => checker.merges.mainMoved('lost', 'p')],
    'does not contain lost any more',
  ],
  ['a place that held what is merged (G6)', [({ checker }) => checker.madeFresh('w', ['work-1'])], null],
  [
    'a place that held more (G6)',
    [({ checker }) => checker.madeFresh('w', ['work-1', 'work-2'])],
    'its place is fresh, and nothing has work-2',
  ],
  ['work that comes twice', [accepted('w', 'w1'), accepted('w'), merged('w', 'w1'), merged('w', 'w1')], 'merged twice'],
  ['the work of another one', [made('work-1', 'v'), accepted('w', 'work-1'), merged('w', 'work-1')], 'and v made it'],
  ['work that names what nobody has', [accepted('w', 'hollow'), merged('w', 'hollow')], 'what it names is nowhere'],
  [
    'work of a task that was cancelled',
    [accepted('w', 'w1'), ({ checker }) => checker.merges.noteCancel('w'), merged('w', 'w1')],
    'is merged unseen',
  ],
  [
    'work that was taken out, and comes back with the work of another',
    [accepted('v', 'work-1', 'work-2'), made('work-2', 'v'), dropped, merged('v', 'work-1', 'work-2')],
    'work-1 was taken out of the default branch, and comes back unseen',
  ],
  [
    'work that was taken out, and is looked at and accepted again',
    [1, 2].flatMap(() => [accepted('w', 'work-1'), merged('w', 'work-1'), dropped]),
    null,
  ],
  [
    'an accept whose commit is not there',
    [ending({ how: 'published', commit: 'lost' }), committed({})],
    'does not contain',
  ],
  ['an accept of nothing', [ending({ how: 'nothing', commit: 'b' }), committed({})], 'no person said so'],
  ['blame for one run (G12)', [ran(PASSED, FAILED), blamed('train:blame')], 'blamed without two runs'],
  ['blame where nothing passed before (G12)', [ran(FAILED, FAILED), blamed('train:blame')], 'blamed without two runs'],
  [
    'blame for the work of another (G12)',
    [ran(PASSED, { ...FAILED, worker: 'v' }, { ...FAILED, worker: 'v' }), blamed('train:blame')],
    'blamed without two runs',
  ],
  ['fair blame (G12)', [ran(PASSED, FAILED, FAILED), blamed('train:culprit')], null],
  ['a failure on a branch that has moved and never passed (G12)', [sentBack('main', 'begun')], 'never passed'],
  ['a failure on a branch that passes (G12)', [sentBack('checked', 'begun')], null],
  ['a failure on the branch on which it was begun (G12)', [sentBack('main', 'main')], null],
  [
    'a repeated answer with another reply',
    [replied('one', won(1)), replied('one', { kind: 'refused', code: 'changed', message: 'It was asked again' })],
    'the answer one was told',
  ],
  [
    'two answers to one asking that won (X2)',
    [replied('one', won(1)), replied('later', won(2)), replied('another', won(1))],
    'e asked 1: one won, and another too',
  ],
  ['words that were being typed at the cancel', [cancelled, committed(typing(3))], null],
  ['words of a cancelled task', [cancelled, committed(typing(4))], '#1# is typed, and its task was cancelled'],
  ['a cancelled task in hand', [cancelled, committed({ task: inHand('t') })], 'in hand that was cancelled'],
  ['the same words in another task', [cancelled, givenAgain], null],
  ['the end of that task while they are being typed', [cancelled, givenAgain, committed(typing(4))], null],
  [
    'the same words once more after that',
    [cancelled, givenAgain, committed(typing(5))],
    '#1# is typed, and its task was cancelled',
  ],
])('given %s, when the checks are told, then each promise is judged', (_what, steps, said) => {
  expectJudged(steps, said);
});

test.each([
  ['main', 'never passed'],
  ['checked', null],
])('given a task that ends with a failure on "%s", when it is judged, then by that branch (G12)', (base, said) => {
  const candidate = { kind: 'clash', head: 'h', base, files: [] } as const;
  const noted: Told = ({ checker }) =>
    checker.merges.checkRow(rowOf({ merge: { ...NEW.merge, candidate } }), { before: undefined, workers: new Map() });

  expectJudged(
    [noted, ({ checker }) => checker.merges.checkBlame({ ...OF_W, rules: ['review:invalid'] }, { state: NEW })],
    said,
  );
});

test('given two decisions of which the later one is committed first, when commits are read, then both are heard, once', () => {
  const { database, checker, tally } = watched();
  for (const id of [1, 3, 2, 4]) {
    const event = { kind: 'up-requested' };
    database.events.set(id, {
      id,
      ...OF_W,
      event,
      rules: [],
      records: [{ kind: 'notice', text: '' }],
      decided: null,
    } as never);
    checker.committed();
  }

  expect(checker.newestEvent).toBe(4);
  expect(tally.records.get('notice')).toBe(4);
});

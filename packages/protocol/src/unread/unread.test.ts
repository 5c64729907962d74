/** Checks what is left of commands and settings that this build cannot read, and what is said to be wrong with them. */
import { expect, test } from 'vitest';
import { helloAnswer } from '../hello.ts';
import { tellMisfit } from '../misfit.ts';
import { syncAnswer } from '../sync.ts';
import { WORKER_SETTINGS } from '../testing/index.ts';

const ID = '33333333-3333-4333-8333-333333333333';
const WORKER = WORKER_SETTINGS.workerId;
const CLOSE = {
  id: ID,
  epoch: 1,
  timeoutMs: 1,
  settings: WORKER_SETTINGS,
  body: { kind: 'command', seq: 4, command: { kind: 'close' } },
};

function read(...commands: readonly unknown[]): readonly unknown[] {
  const versions = { serverVersion: '1.9', minVersion: '1.0' };
  const rest = { ackThrough: 0, nextIntervalMs: 1, registered: true, epoch: 1, serverTime: 0 };
  return syncAnswer.parse({ ...versions, ...rest, commands }).commands;
}

/** Reads commands without what is said of the misfit. */
function left(...commands: readonly unknown[]): readonly unknown[] {
  return read(...commands).map((command) => {
    if (typeof command !== 'object' || command === null || !('misfit' in command)) return command;
    const { misfit: _misfit, ...rest } = command;
    return rest;
  });
}

test('given commands of which one is of a later kind, when an answer is read, then the others are whole and of it enough is kept to answer it', () => {
  const later = { ...CLOSE, body: { kind: 'command', seq: 5, command: { kind: 'teleport', to: 'x' } } };

  expect(left(CLOSE, later, CLOSE)).toEqual([
    CLOSE,
    { id: ID, unread: 'teleport', command: { workerId: WORKER, seq: 5 } },
    CLOSE,
  ]);
});

test('given a command of a kind that is known, when a field of it cannot be read, then its kind and its number are kept', () => {
  expect(left({ ...CLOSE, timeoutMs: 'soon' }, { ...CLOSE, settings: { workerId: WORKER, name: 7 } })).toEqual([
    { id: ID, unread: 'close', command: { workerId: WORKER, seq: 4 } },
    { id: ID, unread: 'close', command: { workerId: WORKER, seq: 4 } },
  ]);
});

test('given a query of a later kind and what is neither command nor query, when they are read, then they are answered by their id alone', () => {
  expect(
    left({ ...CLOSE, body: { kind: 'query', query: { kind: 'read-mind' } } }, { id: ID, body: { kind: 'wish' } }),
  ).toEqual([
    { id: ID, unread: 'read-mind', command: null },
    { id: ID, unread: 'wish', command: null },
  ]);
});

test('given what has no id that can be used, when it is read, then it has none, whatever it is', () => {
  const nameless = { ...CLOSE, id: 'seven' };

  expect(left(nameless, null, 'close', { body: { kind: 'k'.repeat(500) } })).toEqual([
    { id: null, unread: 'close', command: { workerId: WORKER, seq: 4 } },
    { id: null, unread: '?', command: null },
    { id: null, unread: '?', command: null },
    { id: null, unread: 'k'.repeat(100), command: null },
  ]);
});

const ANSWER = { kind: 'answer', incarnation: 'x', fingerprint: 'x', choice: { kind: 'dream' } };
const DELIVER = { kind: 'deliver', incarnation: 'x', text: 't', method: 'telepathy', settleMs: 0, mayQueue: true };

test.each([
  [
    'a kind that came later',
    { body: { kind: 'command', seq: 1, command: { kind: 'teleport' } } },
    'body.command.kind',
    true,
  ],
  [
    'a choice that came later',
    { body: { kind: 'command', seq: 1, command: ANSWER } },
    'body.command.choice.kind',
    true,
  ],
  ['a value that came later', { body: { kind: 'command', seq: 1, command: DELIVER } }, 'body.command.method', true],
  ['a field of another type', { timeoutMs: 'soon' }, 'timeoutMs', false],
  ['a field that is missing', { settings: { ...WORKER_SETTINGS, name: undefined } }, 'settings.name', false],
])(
  'given a command with %s, when it is read, then that is named, and age is blamed where it must be',
  (_what, change, at, isLater) => {
    expect(read({ ...CLOSE, ...change })).toEqual([expect.objectContaining({ misfit: { at, why: WORDS, isLater } })]);
  },
);

const WORDS = expect.stringMatching(/^Invalid /u);

test('given what is no command at all, when it is told what is wrong with it, then the whole is meant', () => {
  const misfit = { at: '', why: 'Invalid input: expected object, received null', isLater: false };

  expect(read(null)).toEqual([expect.objectContaining({ misfit })]);
  expect(tellMisfit(misfit)).toBe(misfit.why);
  expect(tellMisfit({ ...misfit, at: 'settings.name' })).toBe(`"settings.name": ${misfit.why}`);
});

test('given settings of which some cannot be read, when a hello is answered, then the others are whole and of those the name and the misfit are kept', () => {
  const later = { ...WORKER_SETTINGS, project: { ...WORKER_SETTINGS.project, validate: { all: true } } };
  const profiles = { revision: 0, documents: [] };
  const times = { expiresAt: 1, serverTime: 0, epoch: 1 };
  const rest = { accessToken: 't', ...times, publicKey: 'k', rotate: false, profiles, lacks: [] };

  const { workers } = helloAnswer.parse({ ...rest, workers: [WORKER_SETTINGS, later, 'no settings', WORKER_SETTINGS] });

  expect(workers).toEqual([
    WORKER_SETTINGS,
    { unread: WORKER_SETTINGS.name, misfit: { at: 'project.validate', why: WORDS, isLater: false } },
    { unread: '?', misfit: { at: '', why: WORDS, isLater: false } },
    WORKER_SETTINGS,
  ]);
});

import { expect, test } from 'vitest';
import { syncAnswer } from './sync.ts';

const ID = '33333333-3333-4333-8333-333333333333';
const WORKER = '11111111-1111-4111-8111-111111111111';
const PROJECT = {
  id: ID,
  root: '/p',
  source: '/s',
  defaultBranch: 'main',
  copyFiles: [],
  validate: [],
  validateTimeoutMs: 1,
  runHooks: false,
};
const SEAT = {
  workerId: WORKER,
  name: 'w',
  profile: 'claude',
  model: null,
  skipPermissions: false,
  allowedTools: [],
  sessionWidth: 80,
  sessionHeight: 24,
  project: PROJECT,
};
const CLOSE = { id: ID, epoch: 1, timeoutMs: 1, seat: SEAT, order: { kind: 'op', seq: 4, op: { kind: 'close' } } };

function read(...commands: readonly unknown[]): unknown {
  const versions = { serverVersion: '1.9', minVersion: '1.0' };
  const rest = { ackThrough: 0, nextIntervalMs: 1, registered: true, epoch: 1, serverTime: 0 };
  return syncAnswer.parse({ ...versions, ...rest, commands }).commands;
}

test('given orders of which one is of a later kind, when an answer is read, then the others are whole and of it enough is kept to answer it', () => {
  const later = { ...CLOSE, order: { kind: 'op', seq: 5, op: { kind: 'teleport', to: 'x' } } };

  expect(read(CLOSE, later, CLOSE)).toEqual([
    CLOSE,
    { id: ID, unread: 'teleport', op: { workerId: WORKER, seq: 5 } },
    CLOSE,
  ]);
});

test('given an order of a kind that is known, when a field of it cannot be read, then its kind and its number are kept', () => {
  expect(read({ ...CLOSE, timeoutMs: 'soon' }, { ...CLOSE, seat: { workerId: WORKER, name: 7 } })).toEqual([
    { id: ID, unread: 'close', op: { workerId: WORKER, seq: 4 } },
    { id: ID, unread: 'close', op: { workerId: WORKER, seq: 4 } },
  ]);
});

test('given a query of a later kind and what is neither order nor query, when they are read, then they are answered by their id alone', () => {
  expect(
    read({ ...CLOSE, order: { kind: 'query', query: { kind: 'read-mind' } } }, { id: ID, order: { kind: 'wish' } }),
  ).toEqual([
    { id: ID, unread: 'read-mind', op: null },
    { id: ID, unread: 'wish', op: null },
  ]);
});

test('given what has no id that can be used, when it is read, then it has none, whatever it is', () => {
  const nameless = { ...CLOSE, id: 'seven' };

  expect(read(nameless, null, 'close', { order: { kind: 'k'.repeat(500) } })).toEqual([
    { id: null, unread: 'close', op: { workerId: WORKER, seq: 4 } },
    { id: null, unread: '?', op: null },
    { id: null, unread: '?', op: null },
    { id: null, unread: 'k'.repeat(100), op: null },
  ]);
});

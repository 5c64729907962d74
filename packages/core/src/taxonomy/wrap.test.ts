import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AgentState } from '../agent-state.ts';
import { isErrorCode } from './codes.ts';
import { makeError } from './record.ts';
import { wrapError, type WrapOptions } from './wrap.ts';

function options(component = 'machine-agent'): WrapOptions {
  let next = 0;
  return { component, now: 7, id: () => `e${(next += 1)}` };
}

/** Makes an error as Node throws it: words, and facts beside them. */
function errno(message: string, facts: Record<string, string | number>): Error {
  return Object.assign(new Error(message), facts);
}

test.each([
  ['ENOSPC', errno('ENOSPC: no space left on device, write', { code: 'ENOSPC' }), 'journal', 'FILESYSTEM_ERROR'],
  ['a full disk that git tells of', errno('no room', { code: 'disk-full' }), 'worktree', 'FILESYSTEM_ERROR'],
  [
    'EACCES',
    errno("EACCES: permission denied, open '/x'", { code: 'EACCES', path: '/x' }),
    'journal',
    'PERMISSION_DENIED',
  ],
  ['ECONNREFUSED', errno('connect ECONNREFUSED', { code: 'ECONNREFUSED' }), 'sync', 'NETWORK_ERROR'],
  ['ECONNREFUSED of the store', errno('connect ECONNREFUSED', { code: 'ECONNREFUSED' }), 'store', 'DATABASE_ERROR'],
  ['a deadlock', errno('deadlock detected', { code: '40P01' }), 'store', 'DATABASE_ERROR'],
  ['no tmux', errno('spawn tmux ENOENT', { code: 'ENOENT', syscall: 'spawn tmux' }), 'tmux', 'TMUX_NOT_FOUND'],
  [
    'no tmux by path',
    errno('spawn /usr/bin/tmux ENOENT', { code: 'ENOENT', syscall: 'spawn /usr/bin/tmux' }),
    'tmux',
    'TMUX_NOT_FOUND',
  ],
  ['no git', errno('spawn git ENOENT', { code: 'ENOENT', syscall: 'spawn git' }), 'worktree', 'GIT_WORKTREE_FAILED'],
  [
    'no agent',
    errno('spawn claude ENOENT', { code: 'ENOENT', syscall: 'spawn claude' }),
    'tmux',
    'AGENT_CLI_NOT_FOUND',
  ],
  [
    'no process left',
    errno('spawn claude EAGAIN', { code: 'EAGAIN', syscall: 'spawn claude' }),
    'tmux',
    'AGENT_SPAWN_FAILED',
  ],
  ['an error of tmux', errno('pane %1 is gone', { code: 'pane-gone' }), 'tmux', 'TMUX_SESSION_FAILED'],
  ['a code of the taxonomy', errno('not taken', { code: 'INPUT_LOST' }), 'cli', 'INPUT_LOST'],
  ['fetch', new TypeError('fetch failed'), 'sync', 'NETWORK_ERROR'],
  ['a bug', new TypeError('x is not a function'), 'store', 'INTERNAL_ERROR'],
  ['errno in words', 'Error: EROFS: read-only file system', 'worker', 'FILESYSTEM_ERROR'],
  ['invalid input', Object.assign(new Error('bad'), { name: 'ZodError' }), 'api', 'INVALID_ARGUMENT'],
  ['a string', 'boom', 'sync', 'INTERNAL_ERROR'],
  ['nothing', undefined, 'sync', 'INTERNAL_ERROR'],
])('given %s, when it is wrapped, then it has its code', (_, thrown, component, code) => {
  const { error } = wrapError(thrown, options(component));

  expect(error.code).toBe(code);
  expect(error).toMatchObject({ component, timestamp: 7, id: 'e1' });
});

test('given an error with causes, when it is wrapped, then each is a row of its own and names the next by id', () => {
  const root = errno('connect ECONNREFUSED 127.0.0.1:5432', { code: 'ECONNREFUSED' });
  const thrown = new Error('cannot save', { cause: new AggregateError([root], 'all failed') });

  const { error, causes } = wrapError(thrown, options('store'));

  expect(causes.map(({ details }) => details)).toEqual(['all failed', 'connect ECONNREFUSED 127.0.0.1:5432']);
  expect([error.cause, causes[0]?.cause, causes[1]?.cause]).toEqual([causes[0]?.id, causes[1]?.id, null]);
  expect(new Set([error, ...causes].map(({ id }) => id)).size).toBe(3);
  expect(error.stack).toContain('cannot save');
});

test('given an error that is its own cause, when it is wrapped, then it ends', () => {
  const thrown = new Error('round');
  thrown.cause = new Error('and round', { cause: thrown });

  expect(wrapError(thrown, options()).causes).toHaveLength(1);
});

test('given a row that was made before, when it is wrapped, also as a cause, then it stays as it is', () => {
  const row = makeError('MACHINE_LOST', { id: 'old', now: 1, component: 'coordinator' });

  const alone = wrapError(row, options());
  const asCause = wrapError(new Error('cannot start', { cause: row }), options());

  expect(alone.error).toBe(row);
  expect(asCause.causes).toEqual([row]);
  expect(asCause.error.cause).toBe('old');
});

test('given the state of an agent, when it is wrapped, then it has the code of what the agent shows', () => {
  const composer = { kind: 'none' } as const;
  const limited: AgentState = {
    kind: 'error',
    error: 'usage-limit',
    recoverable: true,
    text: 'You hit your limit',
    resets: '7pm',
    composer,
  };
  const gone: AgentState = { kind: 'exited', cause: 'crash', status: null, signal: 9 };

  expect(wrapError(limited, options()).error).toMatchObject({ code: 'USAGE_LIMIT', details: 'You hit your limit' });
  expect(wrapError(gone, options()).error).toMatchObject({ code: 'AGENT_CRASHED', context: { signal: 9 } });
});

test('given an error for a user, when it is wrapped, then its own words are kept', () => {
  const thrown = errno('Worker name "Adam" must be lower case', { code: 'INVALID_ARGUMENT' });

  expect(wrapError(thrown, options()).error.message).toBe('Worker name "Adam" must be lower case');
});

test('given a path in the error and one from the caller, when it is wrapped, then the caller knows better', () => {
  const thrown = errno('EACCES', { code: 'EACCES', path: '/from/error' });

  expect(wrapError(thrown, options()).error.context.path).toBe('/from/error');
  expect(wrapError(thrown, { ...options(), context: { path: '/from/caller' } }).error.context.path).toBe(
    '/from/caller',
  );
});

function checkRows(thrown: unknown): void {
  const { error, causes } = wrapError(thrown, options());

  for (const row of [error, ...causes]) {
    expect(isErrorCode(row.code)).toBe(true);
    expect(JSON.parse(JSON.stringify(row))).toEqual(row);
  }
}

test('given anything at all, when it is wrapped, then there is a row that survives JSON, and nothing is thrown', () => {
  fc.assert(fc.property(fc.anything(), checkRows), { numRuns: 2_000 });
});

function refuse(): never {
  throw new Error('no');
}

test.each<[string, unknown]>([
  ['a proxy that throws', new Proxy({}, { get: refuse })],
  ['an object without words', { toString: null }],
  ['a getter that throws', Object.defineProperty({}, 'code', { get: refuse })],
  ['an error whose message throws', Object.defineProperty(new Error('x'), 'message', { get: refuse })],
  ['an error whose cause throws', Object.defineProperty(new Error('x'), 'cause', { get: refuse })],
  ['a symbol', Symbol('x')],
  ['a bigint', 10n],
  ['an object without prototype', Object.create(null)],
  ['half an agent error', { kind: 'error' }],
  ['a made-up agent error', { kind: 'error', error: 'rate-limit' }],
  ['an unknown agent error', { kind: 'error', error: 'toString', text: 3 }],
  ['half an exit', { kind: 'exited', cause: 'crash' }],
  ['a dialog that is a number', { kind: 'permission', dialog: 3 }],
  ['half a row', { id: 'x', code: 'AGENT_CRASHED', component: 3 }],
])('given %s, when it is wrapped, then there is a row that survives JSON, and nothing is thrown', (_, thrown) => {
  checkRows(thrown);
});

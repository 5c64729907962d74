import { expect, test } from 'vitest';
import { failureKind, isRetryable } from './errors.ts';

const failure = (code: string) => Object.assign(new Error('failed'), { code });

test.each([
  ['40001', 'conflict'],
  ['40P01', 'conflict'],
  ['57P01', 'lost-connection'],
  ['08006', 'lost-connection'],
  ['ECONNRESET', 'lost-connection'],
  ['23505', 'permanent'],
  ['42P01', 'permanent'],
  ['57014', 'permanent'],
] as const)('given the code %s, when the failure is sorted, then it is %s', (code, kind) => {
  expect(failureKind(failure(code))).toBe(kind);
});

test.each(['Connection terminated unexpectedly', 'Client has encountered a connection error and is not queryable'])(
  'given the words "%s" without a code, when the failure is sorted, then the connection is lost',
  (words) => {
    expect(failureKind(new Error(words))).toBe('lost-connection');
  },
);

test('given a lost connection inside another error, when the failure is sorted, then it is found', () => {
  const wrapped = new Error('cannot save', { cause: new AggregateError([failure('ENETUNREACH')]) });

  expect(isRetryable(wrapped)).toBe(true);
  expect(isRetryable(new Error('cannot save', { cause: failure('23514') }))).toBe(false);
  expect(isRetryable('Connection terminated')).toBe(false);
});

import { expect, test } from 'vitest';
import { answersIn, findingsIn } from './finding.ts';

test.each([
  ['blocker src/a.ts:12 the list may be empty', { severity: 'blocker', file: 'src/a.ts', line: 12 }],
  ['minor src/a.ts:12: the list may be empty', { severity: 'minor', file: 'src/a.ts', line: 12 }],
  ['note the list may be empty', { severity: 'note', file: null, line: null }],
])('given the finding %j, when it is read, then its parts are known', (given, parts) => {
  expect(findingsIn([given])).toEqual([{ id: 'F1', text: 'the list may be empty', ...parts }]);
});

test.each([
  ['F1 fixed', { finding: 'F1', did: 'fixed', why: '' }],
  ['F2 declined: it is meant so', { finding: 'F2', did: 'declined', why: 'it is meant so' }],
  ['F3: declined, it is meant so', { finding: 'F3', did: 'declined', why: 'it is meant so' }],
])('given the answer %j, when it is read, then its parts are known', (given, answer) => {
  expect(answersIn([given])).toEqual([answer]);
});

test.each(['', 'blocker', 'F1 ignored'])('given %j, when it is read, then it is refused with an example', (given) => {
  expect(() => (given.startsWith('F') ? answersIn([given]) : findingsIn([given]))).toThrow('such as');
});

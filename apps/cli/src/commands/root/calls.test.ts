/** Tests the events that call a person, and the text of the call. */
import { expect, test } from 'vitest';
import { callLine, callOf, callsFor, noticeOf } from './calls.ts';

test.each([
  ['a worker stops in error', { from: 'working', to: 'error', asks: false }, 'question'],
  ['an agent waits for words', { from: 'working', to: 'needs_input', asks: false }, 'question'],
  ['a question opens while the worker goes on', { from: 'working', to: 'working', asks: true }, 'question'],
  ['a question opens again', { from: 'error', to: 'error', asks: true }, 'question'],
  ['work waits for a review', { from: 'working', to: 'needs_review', asks: false }, 'review'],
  ['a worker stays in error', { from: 'error', to: 'error', asks: false }, null],
  ['a worker goes on', { from: 'error', to: 'working', asks: false }, null],
] as const)('given that %s, when it is told, then a person is called only for what needs one', (_what, event, call) => {
  expect(callOf(event)).toBe(call);
});

test('given that the bell is off for reviews, when a person is called, then it rings for a question all the same', () => {
  const calls = { bellOnReview: false, notices: true };

  expect(callsFor('question', calls)).toEqual({ rings: true, shows: true });
  expect(callsFor('review', calls)).toEqual({ rings: false, shows: true });
  expect(callsFor('review', { bellOnReview: true, notices: false })).toEqual({ rings: true, shows: false });
});

test('given words of an agent, when a notice is made of them, then it is one line without control sequences', () => {
  const notice = noticeOf({ worker: 'adam', said: ['heard', 'asks: \u001b[31mrm -rf\n/tmp\u0007\u202e'] }, 'question');

  expect(notice).toEqual({ title: 'adam needs you', text: 'asks: rm -rf /tmp⟨U+0007⟩⟨U+202E⟩' });
});

test.each([
  [['working → needs_input: asks: Which port?', 'needs a person (AGENT_BLOCKED)'], 'asks: Which port?'],
  [['working → needs_review: committed "Note"', 'task 68583433: review'], 'committed "Note"'],
  [['needs a person (AGENT_BLOCKED): stopped without a new commit'], 'stopped without a new commit'],
  [['needs a person (MACHINE_LOST)'], 'needs a person (MACHINE_LOST)'],
] as const)('given the lines %j, when a notice is made, then it says why', (said, text) => {
  expect(noticeOf({ worker: 'adam', said: [...said] }, 'question').text).toBe(text);
});

test.each([
  [
    'review',
    ['heard', 'working → needs_review: committed "Note"'],
    'adam has work for your review: committed "Note" (drover review adam)',
  ],
  ['question', ['asks: Which port?'], 'adam needs you: asks: Which port? (drover why adam)'],
] as const)(
  'given a call for a %s, when "drover up" tells it, then one line says who, why, and the command',
  (call, said, line) => {
    const told = callLine({ at: 0, worker: 'adam', said: [...said] }, call, { colours: false });

    expect(told.replace(/^\d\d:\d\d:\d\d /u, '')).toBe(line);
  },
);

import { expect, test } from 'vitest';
import { stepOf } from './answer.ts';
import type { Answered } from './answer.ts';

const waiting = { status: 'needs_input', since: 5 } as const;
const given: Answered = {
  question: { status: 'resolved', application: 'pending' },
  worker: waiting,
  before: waiting,
  asksAnew: false,
  answeredAt: 1_000,
  now: 2_000,
};
const applied = { status: 'resolved', application: 'applied' } as const;

test.each([
  ['is on its way', given, 'accepted'],
  ['was typed', { ...given, question: applied }, 'typed'],
  [
    'was typed, and the agent works',
    { ...given, question: applied, worker: { status: 'working', since: 9 } },
    'went-on',
  ],
  [
    'was typed, and the agent asks the next question',
    { ...given, question: applied, worker: { ...waiting, since: 9 } },
    'went-on',
  ],
  ['was typed, and the same wait is for another question', { ...given, question: applied, asksAnew: true }, 'went-on'],
  ['was typed, and its worker is removed', { ...given, question: applied, worker: undefined }, 'went-on'],
  ['was typed 10 s ago, and nothing moves', { ...given, question: applied, now: 11_001 }, 'stuck'],
  ['met another screen', { ...given, question: { ...applied, application: 'rejected_stale' } }, 'not-typed'],
  ['could not be typed', { ...given, question: { ...applied, application: 'failed' } }, 'not-typed'],
] as const)('given an answer that %s, then its step says so', (_, answered, kind) => {
  expect(stepOf(answered).kind).toBe(kind);
});

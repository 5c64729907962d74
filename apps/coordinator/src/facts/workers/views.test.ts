/** A line of history says nothing twice. */
import type { EventRow } from '@drover/store';
import { expect, test } from 'vitest';
import { decisive, eventView } from './views.ts';

const WHY = 'asks: Which colour?';

function row(records: EventRow['records']): EventRow {
  return {
    id: 1,
    workerId: 'w',
    workerName: 'adam',
    at: 0,
    requestId: null,
    actor: { kind: 'policy' },
    event: { kind: 'deadline-expired', name: 'check' },
    rules: [],
    records,
    reply: { kind: 'accepted' },
    statusBefore: 'working',
    statusAfter: 'needs_input',
    policy: 'p',
  };
}

test('given a move, a notice and a question of the same words, when they are told, then the words stand there once', () => {
  const moved = { kind: 'moved', from: 'working', to: 'needs_input', why: WHY } as const;

  const { said } = eventView(row([moved, { kind: 'notice', text: WHY }, { kind: 'notice', text: 'and more' }]));

  expect(said).toEqual(['the deadline "check" passed', `working → needs_input: ${WHY}`, 'and more']);
});

test('given a checkpoint after a move, when it is asked what led here, then it is the move', () => {
  const moved = { ...row([{ kind: 'moved', from: 'working', to: 'needs_input', why: WHY }]), id: 1 };
  const saved = { ...row([{ kind: 'notice', text: 'saved' }]), id: 2 };

  expect(decisive([saved, moved])).toBe(moved);
  expect(decisive([saved])).toBe(saved);
  expect(decisive([])).toBeUndefined();
});

// Checks that the checker of calls sees each promise that is broken on purpose here.
import { ackOncall, beginOncall, DEFAULT_ONCALL, newWorker, oncallAt } from '@drover/core';
import type { Oncall } from '@drover/core';
import type { Delivery } from '@drover/protocol';
import { escalation, MemoryDatabase, workerOptions } from '@drover/store/testing';
import type { DeliveryRow, EscalationRow } from '@drover/store';
import { expect, test } from 'vitest';
import { Tally } from '../runs/tally.ts';
import { CallChecks } from './calls.ts';

const OPTIONS = workerOptions({ profile: 'claude' });
const WORKER = { id: 'w', projectId: 'p', machineId: 'm', name: 'w', options: OPTIONS, version: 1, createdAt: 0 };
const ROW: EscalationRow = {
  ...escalation({ ...WORKER, updatedAt: 0, state: newWorker() }, { status: 'open' }),
  id: 'e',
  version: 2,
};
const BEGUN = beginOncall(DEFAULT_ONCALL, 0, 0);
const CALLED = oncallAt(BEGUN, { status: 'open', severity: 'error', silencedUntil: null }, 0).oncall;
const DELIVERY: DeliveryRow = {
  escalationId: 'e',
  channel: 'telegram',
  address: '7',
  shown: 2,
  ref: 'card',
  pingsWanted: 1,
  pingsGiven: 1,
  holder: null,
  heldUntil: null,
  notBefore: null,
  failures: 0,
  error: null,
  isFinal: false,
  createdAt: 0,
  shownAt: 0,
};

test('given a question whose first step calls a place, when it is committed, then every promise is kept', () => {
  const { commit, tally } = watched();
  commit({ oncall: CALLED }, {});

  expect(tally.violation).toBeNull();
});

test.each<[string, Partial<EscalationRow>, number, string]>([
  ['a plan that did not go on', { oncall: CALLED }, 2, 'is called 1 time(s) at step 1'],
  ['two calls at once', { oncall: { ...CALLED, step: 2 } }, 3, 'is called 2 time(s) at step 2'],
  ['an answer', { oncall: { ...CALLED, step: 2 }, status: 'resolved' }, 2, 'is called while it is resolved'],
  ['somebody who looks', { oncall: ackOncall(CALLED, 0), status: 'acked' }, 2, 'is called while it is acked'],
])('X5, X7: given %s, when a place is called again, then the promise counts as broken', (_what, patch, calls, said) => {
  const { commit, tally } = watched();
  commit({ oncall: CALLED }, {});

  commit(patch, { pingsWanted: calls });

  expect(tally.violation).toContain(said);
});

test('X7: given a question that is asked and over within one commit, when a place was called for it, then the promise is kept', () => {
  const { commit, tally } = watched();
  commit({ oncall: CALLED, status: 'expired' }, {});

  expect(tally.violation).toBeNull();
});

test('X7: given a card of a question that is over, when it alarms, then the promise counts as broken', () => {
  const { checks, tally } = watched();

  checks.alarmed({ shortId: 'e', status: 'resolved' });

  expect(tally.violation).toContain('alarms while it is resolved');
});

test('X7: given somebody who looks, when they are reminded, then the promise is kept', () => {
  const { commit, tally } = watched();
  const acked: Oncall = ackOncall(CALLED, 0);
  commit({ oncall: CALLED }, {});
  commit({ oncall: acked, status: 'acked' }, {});

  commit({ oncall: { ...acked, remindAt: null }, status: 'acked' }, { pingsWanted: 2 });

  expect(tally.violation).toBeNull();
});

test('X9: given a default answer without a row of its own, when it resolves the question, then the promise counts as broken', () => {
  const { checks, commit, tally } = watched();
  const heard: string[] = [];
  checks.onDefault = (ids) => heard.push(...ids);
  const resolution = {
    option: 'skip',
    text: null,
    by: 'the timeout',
    actor: { kind: 'policy' as const },
    requestId: 'o',
    at: 1,
  };

  commit({ status: 'resolved', resolution }, { pingsWanted: 0 });

  expect(tally.violation).toContain('resolved by the timeout, and that answer is not on record');
  expect(heard).toEqual(['w']);
});

test.each(['answer', 'ack'] as const)(
  'X1: given a press (%s) that is told to count, when it is not stored, then the promise counts as broken',
  (kind) => {
    const { checks, tally } = watched();

    checks.acknowledged('o', { kind, escalation: 'e' });

    expect(tally.violation).toContain(`(${kind}) was acknowledged, and is not stored`);
  },
);

test('X8: given a card, when it shows an older version in the end, then the promise counts as broken', () => {
  const { checks, commit, tally } = watched();
  commit({ oncall: CALLED }, {});
  checks.checkCards(new Map([['card', { version: 2 } as Delivery['card']]]));
  expect(tally.violation).toBeNull();

  checks.checkCards(new Map([['card', { version: 1 } as Delivery['card']]]));

  expect(tally.violation).toContain('shows version 1 of 2');
});

function watched() {
  const database = new MemoryDatabase();
  const tally = new Tally(() => 0, { keepLines: false });
  const checks = new CallChecks(database, tally);
  const commit = (row: Partial<EscalationRow>, delivery: Partial<DeliveryRow>): void => {
    database.escalations.set('e', { ...ROW, ...row });
    // Arms what is to come.
    database.dueWork.set('escalation e', {} as never);
    database.deliveries.set('e telegram 7', { ...DELIVERY, ...delivery });
    checks.committed();
  };
  return { checks, commit, tally };
}

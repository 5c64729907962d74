// Checks that the checker sees each promise to people who are called, to strangers, and to programs outside. No tampered machine or store breaks these.
import { ackOncall, beginOncall, DEFAULT_ONCALL, oncallAt } from '@drover/core';
import type { AnnouncementRow, DeliveryRow, EscalationResponse, EscalationRow } from '@drover/store';
import type { WebhookDelivery, WebhookEndpoint } from '@drover/store';
import { escalation } from '@drover/store/testing';
import type { Delivery } from '@drover/protocol';
import { expect, test } from 'vitest';
import { SHOWN_PANE } from '../machine/inventory.ts';
import { OutsideChecks } from './outside.ts';
import { expectJudged, rowOf, type Told, type Watched, watched } from './watched.ts';

const BEGUN = beginOncall(DEFAULT_ONCALL, 0, 0);
const CALLED = oncallAt(BEGUN, { status: 'open', severity: 'error', silencedUntil: null }, 0).oncall;
const ACKED = ackOncall(CALLED, 0);
const ROW: EscalationRow = { ...escalation(rowOf(), { status: 'open' }), id: 'e', version: 2 };
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
const DEFAULT_ANSWER = {
  option: 'skip',
  text: null,
  by: 'the timeout',
  actor: { kind: 'policy' },
  requestId: 'o',
  at: 1,
} as const;
const RESPONSE: EscalationResponse = {
  requestId: 'r1',
  escalationId: 'e',
  kind: 'ack',
  asked: 1,
  option: null,
  text: null,
  until: null,
  actor: { kind: 'person', id: 'p', name: 'ann' },
  reply: { kind: 'ok' },
  at: 1,
};
const EVENT = { at: 1, type: 'escalation.opened', projectId: 'p', workerId: 'w', actor: null, version: 1 } as const;

/** The question `e` is written, and its place was called so often. */
function asked(row: Partial<EscalationRow>, pingsWanted = 1): Told {
  return ({ database, checker: { calls } }) => {
    database.escalations.set('e', { ...ROW, ...row });
    // Arms what is to come.
    database.dueWork.set('escalation e', {} as never);
    database.deliveries.set('e telegram 7', { ...DELIVERY, pingsWanted });
    calls.committed();
  };
}

/** A question is written, and nothing is armed for it. */
function unarmed(row: Partial<EscalationRow>): Told {
  return ({ database, checker: { calls } }) => {
    database.escalations.set('e', { ...ROW, ...row });
    calls.committed();
  };
}

/** Checks of outsiders in this schedule. */
function outside(tell: (checks: OutsideChecks, parts: Watched) => void): Told {
  return (parts) => {
    const { checker, database, tally } = parts;
    checker.calls.outside ??= new OutsideChecks(database, tally);
    tell(checker.calls.outside, parts);
  };
}

function responded(row: Partial<EscalationResponse>, audited: string): Told {
  return outside((checks, { database }) => {
    database.responses.set(row.requestId ?? 'r1', { ...RESPONSE, ...row });
    const seq = database.audit.size + 1;
    database.audit.set(`fleet ${seq}`, { chain: 'fleet', seq, at: 1, actor: 'person ann', body: audited, hash: '' });
    checks.committed();
  });
}

function intruded(key: string, told: Parameters<OutsideChecks['intruded']>[1]): Told {
  return outside((checks) => checks.intruded(key, told));
}

function announced(...ids: readonly number[]): Told {
  return ({ database }) => {
    for (const id of ids) database.announcements.set(id, { ...EVENT, id, subject: {} } as AnnouncementRow);
  };
}

/** A reader of the feed hears these events after the first. */
function heard(...ids: readonly number[]): Told {
  return outside((checks) => {
    checks.read({ from: null, items: [], next: '1' });
    checks.read({ from: '1', items: ids.map((id) => ({ cursor: String(id) })), next: '3' });
  });
}

const ended = outside((checks) => checks.end());

/** The webhook has these calls. */
function called(...rows: readonly Partial<WebhookDelivery>[]): Told {
  return outside((checks, { database, clock }) => {
    clock.now = 1_000_000;
    database.webhookEndpoints.set('h', { id: 'h' } as WebhookEndpoint);
    for (const [index, row] of rows.entries())
      database.webhookDeliveries.set(String(index), { announcementId: 2, state: 'waiting', ...row } as WebhookDelivery);
    checks.read({ from: null, items: [], next: '2' });
  });
}

function shown(line: string): Told {
  return outside((checks) => checks.shown({ shortId: 'e', pane: [line] } as unknown as Delivery['card']));
}

/** Bots show a card in this version. */
function cards(version: number): Told {
  return ({ checker }) => checker.calls.checkCards(new Map([['card', { version } as Delivery['card']]]));
}

const FIRST_DEAD = { announcementId: 1, state: 'dead' } as const;
const AUDITED = '{"about":"escalation e"}';

test.each<[string, readonly Told[], string | null]>([
  ['a first call', [asked({ oncall: CALLED })], null],
  [
    'a call though the plan did not go on (X5)',
    [asked({ oncall: CALLED }), asked({ oncall: CALLED }, 2)],
    'is called 1 time(s) at step 1',
  ],
  [
    'two calls at once (X5)',
    [asked({ oncall: CALLED }), asked({ oncall: { ...CALLED, step: 2 } }, 3)],
    'is called 2 time(s) at step 2',
  ],
  [
    'a call after an answer (X7)',
    [asked({ oncall: CALLED }), asked({ oncall: { ...CALLED, step: 2 }, status: 'resolved' }, 2)],
    'is called while it is resolved',
  ],
  [
    'a call while somebody looks (X7)',
    [asked({ oncall: CALLED }), asked({ oncall: ACKED, status: 'acked' }, 2)],
    'is called while it is acked',
  ],
  ['a question that is asked and over within one commit (X7)', [asked({ oncall: CALLED, status: 'expired' })], null],
  [
    'a reminder of somebody who looks (X7)',
    [
      asked({ oncall: CALLED }),
      asked({ oncall: ACKED, status: 'acked' }),
      asked({ oncall: { ...ACKED, remindAt: null }, status: 'acked' }, 2),
    ],
    null,
  ],
  [
    'a card that alarms though its question is over (X7)',
    [({ checker }) => checker.calls.alarmed({ shortId: 'e', status: 'resolved' })],
    'alarms while it is resolved',
  ],
  ['a step to come that nothing wakes (X6)', [unarmed({ oncall: BEGUN })], 'nothing wakes it'],
  ['a reminder to come that nothing wakes (X6)', [unarmed({ oncall: ACKED, status: 'acked' })], 'nothing wakes it'],
  ['a question without steps (X6)', [unarmed({ oncall: null })], 'no plan says when people are called'],
  [
    'an answer that is acknowledged and not stored (X1)',
    [({ checker }) => checker.calls.acknowledged('o', { kind: 'answer', escalation: 'e' })],
    '(answer) was acknowledged, and is not stored',
  ],
  [
    'a look that is acknowledged and not stored (X1)',
    [({ checker }) => checker.calls.acknowledged('o', { kind: 'ack', escalation: 'e' })],
    '(ack) was acknowledged, and is not stored',
  ],
  [
    'a card of an older version in the end (X8)',
    [asked({ oncall: CALLED }), cards(2), cards(1)],
    'shows version 1 of 2',
  ],
  ['an acknowledgement without a row (X11)', [responded({}, '{"about":"escalation other"}')], 'the request r1'],
  ['an answer without a row (X11)', [responded({ kind: 'answer' }, '{"requestId":"r2"}')], 'the request r1'],
  [
    'requests with their rows, one that lost and a default answer (X11)',
    [
      responded({}, AUDITED),
      responded({ requestId: 'r2', kind: 'answer', reply: { kind: 'refused' } as never }, ''),
      responded({ requestId: 'r3', actor: { kind: 'policy' } as never }, ''),
    ],
    null,
  ],
  [
    'a stranger who is told yes (X10)',
    [intruded('r1', 'not-allowed'), intruded('r2', 'accepted')],
    'was told accepted',
  ],
  ['a stranger who is told too late (X10)', [intruded('r1', 'not-allowed'), intruded('r2', 'over')], 'was told over'],
  ['a stranger whose press is kept (X10)', [responded({}, AUDITED), intruded('r1', 'not-allowed')], 'kept: true'],
  ['a reader who misses an event (X12)', [announced(1, 2, 3), heard(2), ended], 'of 2 events a reader heard 1'],
  ['a reader who hears one twice (X12)', [announced(1, 2, 3), heard(2, 2, 3), ended], 'of 2 events a reader heard 3'],
  ['a reader who hears them in another order (X12)', [announced(1, 2, 3), heard(3, 2), ended], 'a reader heard 2'],
  [
    'an event for a webhook without a call (X13)',
    [announced(1, 2), called(FIRST_DEAD), ended],
    'the event 2 has no call',
  ],
  [
    'an event that only counts as taken (X13)',
    [announced(1, 2), called(FIRST_DEAD, { state: 'delivered' }), ended],
    'the event 2 counts as taken',
  ],
  [
    'a call that is forgotten (X13)',
    [announced(1, 2), called(FIRST_DEAD, { nextAt: 1 }), ended],
    'the call of the event 2 is overdue',
  ],
  ...SHOWN_PANE.split('\n')
    .slice(1)
    .map((line): [string, readonly Told[], string] => [
      'a card with what a pane hides (X14)',
      [shown('the last line of its pane'), shown(line)],
      'the card e says',
    ]),
])('given %s, when the checks are told, then each promise is judged', (_what, steps, said) => {
  expectJudged(steps, said);
});

test('X9: given a default answer without a row of its own, when it resolves the question, then the promise counts as broken', () => {
  const parts = watched();
  const workers: string[] = [];
  parts.checker.calls.onDefault = (ids) => workers.push(...ids);

  asked({ status: 'resolved', resolution: DEFAULT_ANSWER }, 0)(parts);

  expect(parts.tally.violation).toContain('resolved by the timeout, and that answer is not on record');
  expect(workers).toEqual(['w']);
});

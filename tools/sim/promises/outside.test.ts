// Checks that the checker of promises to outsiders sees each promise that is broken on purpose here.
import type { AnnouncementRow, EscalationResponse, WebhookDelivery, WebhookEndpoint } from '@drover/store';
import { MemoryDatabase } from '@drover/store/testing';
import type { Delivery } from '@drover/protocol';
import { expect, test } from 'vitest';
import { SHOWN_PANE } from '../machine/inventory.ts';
import { Tally } from '../runs/tally.ts';
import { OutsideChecks } from './outside.ts';

const ANN = { kind: 'person', id: 'p', name: 'ann' } as const;
const EVENT = { at: 1, type: 'escalation.opened', projectId: 'p', workerId: 'w', actor: null, version: 1 } as const;
const RESPONSE: EscalationResponse = {
  requestId: 'r1',
  escalationId: 'e',
  kind: 'ack',
  asked: 1,
  option: null,
  text: null,
  until: null,
  actor: ANN,
  reply: { kind: 'ok' },
  at: 1,
};

test.each<[string, Partial<EscalationResponse>, string]>([
  ['an acknowledgement', {}, '{"about":"escalation other"}'],
  ['an answer', { kind: 'answer' }, '{"requestId":"r2"}'],
])('X11: given %s, when the audit has no row of it, then the promise counts as broken', (_what, patch, body) => {
  const { checks, database, tally } = watched();
  database.responses.set('r1', { ...RESPONSE, ...patch });
  database.audit.set('fleet 1', { chain: 'fleet', seq: 1, at: 1, actor: 'person ann', body, hash: '' });

  checks.committed();

  expect(tally.violation).toContain('the request r1');
});

test('X11: given requests with their rows, one that lost and a default answer, then the promise is kept', () => {
  const { checks, database, tally } = watched();
  const lost = { kind: 'answer', reply: { kind: 'refused' } } as const;
  database.responses.set('r1', RESPONSE);
  database.responses.set('r2', { ...RESPONSE, requestId: 'r2', ...lost });
  database.responses.set('r3', { ...RESPONSE, requestId: 'r3', actor: { kind: 'policy' } });
  const body = '{"about":"escalation e"}';
  database.audit.set('fleet 1', { chain: 'fleet', seq: 1, at: 1, actor: 'person ann', body, hash: '' });

  checks.committed();

  expect(tally.violation).toBeNull();
});

test.each(['accepted', 'over'] as const)(
  'X10: given a stranger who presses, when they are told "%s", then the promise counts as broken',
  (kind) => {
    const { checks, tally } = watched();
    checks.intruded('r1', 'not-allowed');
    expect(tally.violation).toBeNull();

    checks.intruded('r2', kind);

    expect(tally.violation).toContain(`was told ${kind}`);
  },
);

test('X10: given a stranger who presses, when that is kept, then the promise counts as broken', () => {
  const { checks, database, tally } = watched();
  database.responses.set('r1', RESPONSE);

  checks.intruded('r1', 'not-allowed');

  expect(tally.violation).toContain('kept: true');
});

test.each([
  ['misses one', [2], 'of 2 events a reader heard 1'],
  ['hears one twice', [2, 2, 3], 'of 2 events a reader heard 3'],
  ['hears them in another order', [3, 2], 'of 2 events a reader heard 2'],
])(
  'X12: given a reader who %s, when everything is at rest, then the promise counts as broken',
  (_what, heard, said) => {
    const { checks, database, tally } = watched();
    announce(database, [1, 2, 3]);
    checks.read({ from: null, items: [], next: '1' });

    checks.read({ from: '1', items: heard.map(eventOf), next: '3' });
    checks.end();

    expect(tally.violation).toContain(said);
  },
);

test.each<[string, readonly Partial<WebhookDelivery>[], string]>([
  ['is not noted', [{ announcementId: 1, state: 'dead' }], 'the event 2 has no call'],
  ['counts as taken', [{ announcementId: 1, state: 'dead' }, { state: 'delivered' }], 'the event 2 counts as taken'],
  ['is forgotten', [{ announcementId: 1, state: 'dead' }, { nextAt: 1 }], 'the call of the event 2 is overdue'],
])('X13: given an event for a webhook that %s, then the promise counts as broken', (_what, rows, said) => {
  const { checks, database, tally } = watched();
  announce(database, [1, 2]);
  database.webhookEndpoints.set('h', { id: 'h' } as WebhookEndpoint);
  for (const [index, row] of rows.entries())
    database.webhookDeliveries.set(String(index), { announcementId: 2, state: 'waiting', ...row } as WebhookDelivery);

  checks.read({ from: null, items: [], next: '2' });
  checks.end();

  expect(tally.violation).toContain(said);
});

test.each(SHOWN_PANE.split('\n').slice(1))(
  'X14: given a card with a line as panes of the simulation have it, when a bot shows it, then the promise counts as broken',
  (line) => {
    const { checks, tally } = watched();
    checks.shown({ shortId: 'e', pane: ['the last line of its pane'] } as unknown as Delivery['card']);
    expect(tally.violation).toBeNull();

    checks.shown({ shortId: 'e', pane: [line] } as unknown as Delivery['card']);

    expect(tally.violation).toContain('the card e says');
  },
);

function announce(database: MemoryDatabase, ids: readonly number[]): void {
  for (const id of ids) database.announcements.set(id, { ...EVENT, id, subject: {} } as AnnouncementRow);
}

function eventOf(id: number) {
  return { ...EVENT, cursor: String(id), project: 'p', subject: { kind: 'escalation', id: 'e' } };
}

function watched() {
  const database = new MemoryDatabase(() => 1_000_000);
  const tally = new Tally(() => 0, { keepLines: false });
  return { checks: new OutsideChecks(database, tally), database, tally };
}

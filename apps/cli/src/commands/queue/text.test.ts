import { expect, test } from 'vitest';
import type { QueueItemView } from '@drover/api';
import type { Terminal } from '../../terminal/terminal.ts';
import { listingText } from '../../terminal/lists/listing.ts';
import { QUEUE, queueItemText } from './text.ts';

const NOW = 10_000_000;
const TERMINAL = { colours: false, columns: 100 } as Terminal;
const ITEM: QueueItemView = {
  id: '0199aaaa-0000-7000-8000-00001234abcd',
  project: 'shop',
  priority: 'S0',
  title: 'Fix the syntax error in src/a.ts:3',
  body: 'Fix it.\nIt said \u001b[31mno',
  class: 'syntax',
  status: 'open',
  waitsFor: null,
  nowhere: null,
  role: null,
  worker: null,
  task: null,
  foundBy: 'adam',
  by: null,
  failures: 0,
  occurrences: 1,
  createdAt: NOW - 120_000,
  updatedAt: NOW,
};

function shown(patch: Partial<QueueItemView>): string {
  return listingText([{ ...ITEM, ...patch }], QUEUE, { now: NOW, terminal: TERMINAL });
}

test('given nothing that waits, when the queue is shown, then it says how to add something', () => {
  expect(listingText([], QUEUE, { now: NOW, terminal: TERMINAL })).toContain('drover queue add');
});

test.each<[string, Partial<QueueItemView>, RegExp]>([
  ['open', {}, /^1234abcd +S0 +2m +open +Fix the syntax error/m],
  ['waiting for its finder', { waitsFor: 'source' }, /waits: adam is still working on its task/],
  ['waiting for a person', { waitsFor: 'person', failures: 2 }, /waits for you/],
  ['taken', { status: 'taken', worker: 'bea' }, /taken by bea/],
  ['done by somebody', { status: 'done', worker: 'bea' }, /\bdone\b/],
  ['found often', { occurrences: 7 }, /\(7 times\)/],
])('given an item that is %s, when the queue is shown, then its line says so', (_, patch, line) => {
  expect(shown(patch)).toMatch(line);
});

test('given an item that waits for a person, when it is shown, then both ways on are told, and its words steer no terminal', () => {
  const text = queueItemText({ ...ITEM, waitsFor: 'person', failures: 2 }, { now: NOW, terminal: TERMINAL });

  expect(text).toContain('drover queue retry 1234abcd');
  expect(text).toContain('drover queue drop 1234abcd');
  expect(text).not.toContain('\u001b');
});

test('given an item that no worker can take, when it is shown, then it is said why of each', () => {
  const item = { ...ITEM, role: 'reviewer', nowhere: 'adam is a developer' };

  const text = queueItemText(item, { now: NOW, terminal: TERMINAL });

  expect(text).toMatch(/no worker +can take it now: adam is a developer/);
  expect(text).toMatch(/role +reviewer/);
});

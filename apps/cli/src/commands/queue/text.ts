/** Formats the work queue. */
import type { QueueItemView } from '@drover/api';
import type { Page } from '../../program/answer.ts';
import type { Listing } from '../../terminal/lists/listing.ts';
import { age, ago, paint, plain, table } from '../../terminal/style.ts';

/** Characters of an id that tell items apart: ids begin with times, which look alike. */
const ID_CHARS = 8;

/** The list of `drover queue`. */
export const QUEUE: Listing<QueueItemView> = {
  empty: 'The queue is empty: add a task with "drover queue add --prompt TEXT".',
  nameOf: ({ id }) => id.slice(-ID_CHARS),
  columns: [
    { name: 'ID', of: ({ id }) => id.slice(-ID_CHARS) },
    {
      name: 'PRIORITY',
      of: ({ priority }, { terminal }) => paint(priority, priority === 'S0' ? 'red' : 'bold', terminal.colours),
    },
    { name: 'AGE', of: ({ createdAt }, { now }) => age(now - createdAt) },
    { name: 'STATE', of: whereItIs },
    {
      name: 'TASK',
      of: ({ title, occurrences }) => `${plain(title)}${occurrences > 1 ? ` (${occurrences} times)` : ''}`,
    },
  ],
};

/** The page of one item, with its text. */
export function queueItemText(item: QueueItemView, { now, terminal }: Page): string {
  const facts = [
    ['id', item.id],
    ['state', whereItIs(item)],
    ...(item.nowhere === null ? [] : [['no worker', `can take it now: ${plain(item.nowhere)}`]]),
    ...(item.role === null ? [] : [['role', plain(item.role)]]),
    ['filed', filedWhen(item, now)],
    ['kind', item.class],
    ['seen', `${item.occurrences} time(s)`],
    ['failed', `${item.failures} time(s)`],
  ];
  const head = `${paint(item.priority, 'bold', terminal.colours)} ${plain(item.title)}`;
  return [
    head,
    '',
    table(facts, terminal.columns),
    '',
    item.body.split('\n').map(plain).join('\n'),
    ...wayOn(item),
  ].join('\n');
}

function filedWhen({ createdAt, foundBy, by }: QueueItemView, now: number): string {
  const who = foundBy === null ? (by === null ? '' : `, by ${plain(by)}`) : `, found by ${foundBy}`;
  return `${ago(now - createdAt)}${who}`;
}

function whereItIs({ status, waitsFor, worker, foundBy }: QueueItemView): string {
  switch (waitsFor) {
    case 'source':
      return `waits: ${foundBy ?? 'its finder'} is still working on its task`;
    case 'person':
      return 'waits for you';
    case null:
      return worker !== null && status === 'taken' ? `taken by ${worker}` : status;
  }
}

function wayOn({ id, waitsFor }: QueueItemView): readonly string[] {
  if (waitsFor !== 'person') return [];
  const name = id.slice(-ID_CHARS);
  return [
    '',
    `No worker takes it any more: "drover queue retry ${name}" opens it again, "drover queue drop ${name}" ends it.`,
  ];
}

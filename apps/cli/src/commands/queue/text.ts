/** Formats the work queue. */
import type { QueueItemView } from '@drover/api';
import type { Page } from '../../program/answer.ts';
import { ago, paint, plain, table } from '../../terminal/style.ts';

/** Characters of an id that tell items apart: ids begin with times, which look alike. */
const ID_CHARS = 8;

/** The page of `drover queue`. */
export function queueText(items: readonly QueueItemView[], { now, terminal }: Page): string {
  if (items.length === 0) return 'The queue is empty: add a task with "drover queue add --prompt TEXT".';
  const rows = items.map((item) => [
    paint(item.priority, item.priority === 'S0' ? 'red' : 'bold', terminal.colours),
    item.id.slice(-ID_CHARS),
    ago(now - item.createdAt),
    whereItIs(item),
    `${plain(item.title)}${item.occurrences > 1 ? ` (${item.occurrences} times)` : ''}`,
  ]);
  return table(rows, terminal.columns);
}

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

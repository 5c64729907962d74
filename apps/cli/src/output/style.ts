/** Colours and widths of what is printed. */
import { stripVTControlCharacters, styleText } from 'node:util';
import type { WorkerView } from '@drover/api';

type Style = Parameters<typeof styleText>[0];

const STATUS_STYLE: Readonly<Record<WorkerView['status'], Style>> = {
  idle: 'dim',
  working: 'cyan',
  needs_input: 'yellow',
  needs_review: 'green',
  rejected: 'magenta',
  rebasing: 'blue',
  error: 'red',
  offline: 'dim',
};

/** The text in a style, or as it is where there are no colours. */
export function paint(text: string, style: Style, colours: boolean): string {
  return colours ? styleText(style, text, { validateStream: false }) : text;
}

/** A worker's state in its colour. */
export function paintStatus(status: WorkerView['status'], colours: boolean): string {
  return paint(status, STATUS_STYLE[status], colours);
}

/** Text from agents and people is hostile: no control sequences, no direction overrides, one line. */
export function plain(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
}

/** Columns under one another; the last one is cut at the terminal's edge. */
export function table(rows: readonly (readonly string[])[], columns: number): string {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, shown(cell))));
  return rows.map((row) => cut(line(row, widths), columns)).join('\n');
}

function line(row: readonly string[], widths: readonly number[]): string {
  const cells = row.map((cell, index) =>
    index === row.length - 1 ? cell : cell + ' '.repeat((widths[index] ?? 0) - shown(cell)),
  );
  return cells.join('  ').trimEnd();
}

function shown(cell: string): number {
  return [...stripVTControlCharacters(cell)].length;
}

/** The text up to the edge of the terminal, with its colours: they take no place. */
export function cut(text: string, columns: number): string {
  if (shown(text) <= columns) return text;
  const parts = text.split(COLOUR);
  let room = columns - 1;
  // Every second part is a colour; all of them stay, so that what was begun is ended.
  const kept = parts.map((part, index) => {
    if (index % 2 === 1) return part;
    const letters = [...part].slice(0, room);
    room -= letters.length;
    return letters.join('');
  });
  return `${kept.join('')}…`;
}

// oxlint-disable-next-line no-control-regex -- colours begin with a control character
const COLOUR = /(\u001b\[[0-9;]*m)/;

/** `5m ago`: one unit, the largest that fits. */
export function ago(ms: number): string {
  return `${age(ms)} ago`;
}

/** `5m`: one unit, the largest that fits. */
export function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** `once` or `3 times`. */
export function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** `1 attempt` or `3 attempts`. */
export function many(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** `1.4 GiB`: bytes in the largest unit that fits, for people. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[power] ?? ''}`;
}

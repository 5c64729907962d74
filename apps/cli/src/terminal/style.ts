/** Formats colours, widths, times and counts. */
import { randomUUID } from 'node:crypto';
import { showHidden } from '@drover/core/hidden-characters';
import { eastAsianWidth } from 'get-east-asian-width';

/** Drover's styles: the sequences that begin and end each (SGR, ECMA-48). None hides text. */
const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
  inverse: [7, 27],
} as const;

/** The name of a style. */
export type Style = keyof typeof STYLES;

/**
 * Marks Drover's own styles within a text. The mark differs in each process, so that no text from outside can hold it:
 * the terminal's door makes sequences of marks, and passes no others.
 */
const MARK = `\u001b<${randomUUID()}>`;
const EACH_MARK = new RegExp(`(${MARK}\\d+m)`);

/** Wraps the text in a style; unchanged without colours. */
export function paint(text: string, style: Style, colours: boolean): string {
  const [open, close] = STYLES[style];
  return colours ? `${MARK}${open}m${text}${MARK}${close}m` : text;
}

/**
 * Adopts the colours of a program's output as Drover's own if the text stays readable: nothing that hides, and no
 * backgrounds. Any other sequence has an unknown source, so the door marks it.
 */
export function adoptColours(text: string, colours: boolean): string {
  return text.replaceAll(READABLE, (_, codes: string) => {
    const each = codes === '' ? ['0'] : codes.split(';');
    return colours ? each.map((code) => `${MARK}${code}m`).join('') : '';
  });
}

// oxlint-disable-next-line no-control-regex -- colours begin with a control character
const READABLE = /\u001b\[((?:(?:0|[1-4]|2[2-4]|3[1-6]|39|9[1-6])(?:;(?=\d)|(?=m)))*)m/g;

/** Replaces each hidden character by a visible mark, such as `⟨U+202E⟩`. Styles stay, and marks that exist already. */
export function markHidden(text: string): string {
  return byParts(text, showHidden, (mark) => mark);
}

/** Renders text for the terminal: {@link markHidden} text, and the sequences of Drover's own styles. */
export function renderText(text: string): string {
  return byParts(text, showHidden, (mark) => `\u001b[${mark.slice(MARK.length)}`);
}

function byParts(text: string, ofText: (part: string) => string, ofMark: (mark: string) => string): string {
  if (!text.includes(MARK)) return ofText(text);
  const parts = text.split(EACH_MARK);
  return parts.map((part, index) => (index % 2 === 1 ? ofMark(part) : ofText(part))).join('');
}

/**
 * Formats text from agents, machines and people as one line. Colours are dropped, because programs print many of them
 * and they mean nothing; any other hidden character is marked, because a person should know about it.
 */
export function plain(text: string): string {
  return showHidden(text.replaceAll(COLOURS, '').replaceAll(BREAKS, ' ')).trim();
}

// oxlint-disable-next-line no-control-regex -- colours begin with a control character
const COLOURS = /\u001b\[[0-9;:]*m/g;
// oxlint-disable-next-line no-control-regex -- line breaks are control characters
const BREAKS = /[\t\n\u000b\f\r\u0085\u2028\u2029]+/g;

/** Aligns columns; the last one is cut at the terminal's edge. */
export function table(rows: readonly (readonly string[])[], columns: number): string {
  const widths: number[] = [];
  const lines = rows.map((row) => row.map((cell) => byParts(cell, oneLine, (mark) => mark)));
  for (const row of lines) row.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, widthOf(cell))));
  return lines.map((row) => cut(line(row, widths), columns)).join('\n');
}

function line(row: readonly string[], widths: readonly number[]): string {
  const cells = row.map((cell, index) =>
    index === row.length - 1 ? cell : cell + ' '.repeat((widths[index] ?? 0) - widthOf(cell)),
  );
  return cells.join('  ').trimEnd();
}

/** Joins a cell to one line: a cell cannot begin a line of its own. */
function oneLine(part: string): string {
  return showHidden(part.replaceAll(BREAKS, ' '));
}

function widthOf(cell: string): number {
  return columnsOf(
    byParts(
      cell,
      (part) => part,
      () => '',
    ),
  );
}

let segmenter: Intl.Segmenter | undefined;
/** Splits a text into what people see as one letter. The first call loads tables, a tenth of `drover status`. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

// Latin-1 without the soft hyphen, and the dashes, quotes and dots of general punctuation.
const ONE_COLUMN_EACH = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u00ff\u2010-\u2027]*$/u;
/** Clusters without a letter of their own. */
const NO_COLUMN = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]/u;

/** Columns of a text in a terminal: a cluster has those of its first letter. */
function columnsOf(text: string): number {
  if (ONE_COLUMN_EACH.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of graphemesOf(text))
    columns += NO_COLUMN.test(segment) ? 0 : eastAsianWidth(segment.codePointAt(0) ?? 0);
  return columns;
}

/** Cuts the text at the edge of the terminal; its colours take no place. */
export function cut(unseen: string, columns: number): string {
  const text = markHidden(unseen);
  if (widthOf(text) <= columns) return text;
  const parts = text.split(EACH_MARK);
  let room = columns - 1;
  // Every second part is a colour; all of them stay, so that each one is closed.
  const kept = parts.map((part, index) => {
    if (index % 2 === 1) return part;
    let kept = '';
    for (const { segment } of graphemesOf(part)) {
      const width = columnsOf(segment);
      if (width > room) {
        room = 0;
        break;
      }
      room -= width;
      kept += segment;
    }
    return kept;
  });
  return `${kept.join('')}…`;
}

/** Breaks a text into lines of so many columns at its blanks. */
export function wrap(text: string, columns: number, indent = ''): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    const longer = line === indent ? `${indent}${word}` : `${line} ${word}`;
    if (columnsOf(longer) > columns && line !== indent) {
      lines.push(line);
      line = `${indent}${word}`;
    } else line = longer;
  }
  return [...lines, line].join('\n');
}

/** Formats a time as `12:00:03`, in the local time zone. */
export function clockTime(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Formats a past span as `5m ago`: one unit, the largest that fits. */
export function ago(ms: number): string {
  return `${age(ms)} ago`;
}

/** Formats a span as `5m`: one unit, the largest that fits. */
export function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** Formats a count as `once` or `3 times`. */
export function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** Formats a count as `1 attempt` or `3 attempts`. */
export function many(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Formats bytes as `1.4 GiB`, in the largest unit that fits, for people. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[power] ?? ''}`;
}

/** Formats a part of a page: its title, its lines indented, and an empty line; nothing if there are no lines. */
export function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), ''];
}

/** Turns parsed rows back into the text of a capture, each row with its own colours. */
import type { Colour, Row, Style } from '../src/index.ts';

/** The rows as `capture-pane -p -e` could write them. */
export function paint(rows: readonly Row[]): string {
  return rows.map((row) => `${row.runs.map(({ text, style }) => `${sgr(style)}${text}`).join('')}\u001b[0m\n`).join('');
}

/** A row of text that has no colour and no attribute. */
export function plainRow(text: string): Row {
  return { text, runs: [{ at: 0, text, style: PLAIN_STYLE }] };
}

/** An indented row in the colours of an answer: headings, code, links. */
export function answerRow(text: string, change: Partial<Style>): Row {
  const style = { ...PLAIN_STYLE, ...change };
  return {
    text: `  ${text}`,
    runs: [
      { at: 0, text: '  ', style: PLAIN_STYLE },
      { at: 2, text, style },
    ],
  };
}

const PLAIN_STYLE: Style = {
  fg: 'default',
  bg: 'default',
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  reverse: false,
  strike: false,
};

function sgr(style: Style): string {
  const attributes = [
    style.bold && 1,
    style.dim && 2,
    style.italic && 3,
    style.underline && 4,
    style.reverse && 7,
    style.strike && 9,
  ];
  const codes = attributes.filter((code) => code !== false).map(String);
  return `\u001b[${['0', ...codes, ...colour(style.fg, 38), ...colour(style.bg, 48)].join(';')}m`;
}

function colour(value: Colour, base: 38 | 48): string[] {
  if (value === 'default') return [];
  if (typeof value === 'number') return [`${base};5;${value}`];
  const parts = [value.slice(1, 3), value.slice(3, 5), value.slice(5, 7)].map((part) => Number.parseInt(part, 16));
  return [`${base};2;${parts.join(';')}`];
}

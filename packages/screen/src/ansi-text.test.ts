import { array, assert, constantFrom, property } from 'fast-check';
import { expect, test } from 'vitest';
import { parseAnsi, styleAt } from './ansi.ts';
import { rowText } from './ansi-text.ts';

const textOf = (capture: string): string[] => parseAnsi(capture).map(rowText);

test('given colours that go on over a line end, when the rows are written, then each has its own', () => {
  expect(textOf('\u001b[1;31mred\nstill\u001b[0m not')).toEqual([
    '\u001b[0;1;38;5;1mred\u001b[0m',
    '\u001b[0;1;38;5;1mstill\u001b[0m not',
  ]);
});

test('given anything that a pane may hold, when it is written and read again, then it is the same text in the same colours', () => {
  const piece = constantFrom(
    'a',
    ' ',
    '漢',
    '\u001b[1m',
    '\u001b[0m',
    '\u001b[38;2;1;2;3m',
    '\u001b[48;5;9m',
    '\u001b[7m',
    '\n',
  );
  assert(
    property(array(piece, { maxLength: 40 }), (pieces) => {
      const rows = parseAnsi(pieces.join(''));
      for (const row of rows) {
        const again = parseAnsi(rowText(row))[0] ?? row;
        expect(again.text).toBe(row.text);
        for (let at = 0; at < row.text.length; at += 1) expect(styleAt(again, at)).toEqual(styleAt(row, at));
      }
    }),
  );
});

test('given hostile bytes, when the rows are written, then nothing but text and colours is left', () => {
  assert(
    property(
      array(
        constantFrom(
          '\u001b]52;c;eA==\u0007',
          '\u001b[2J',
          '\u001bP',
          '\u001b',
          '\u0007',
          '\u009b31m',
          'x',
          '\u001b[6n',
          '\u0000',
          '\t',
          '\u001b[',
          '\u001bc',
        ),
      ),
      (parts) => {
        for (const text of textOf(parts.join(''))) {
          // oxlint-disable-next-line no-control-regex
          expect(text.replaceAll(/\u001b\[[0-9;]*m/g, '')).not.toMatch(/\p{Cc}/u);
        }
      },
    ),
  );
});

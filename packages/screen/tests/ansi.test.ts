/** Checks that a capture is read into rows and styles as a terminal would draw it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detect, parseAnsi, PLAIN, styleAt, BUILT_IN_PROFILES } from '../src/index.ts';
import { CAPTURES, inputOf } from './captures.ts';

test('given a style that is not reset, when the next row is read, then it carries on', () => {
  const given = '\u001b[38;5;246mgrey\nstill grey\u001b[39m plain\n';

  const [first, second] = parseAnsi(given);

  expect(first).toMatchObject({ text: 'grey', runs: [{ at: 0, style: { fg: 246 } }] });
  expect(second?.runs.map(({ at, text, style }) => [at, text, style.fg])).toEqual([
    [0, 'still grey', 246],
    [10, ' plain', 'default'],
  ]);
});

test.each([
  ['direct colour', '\u001b[38;2;148;226;213mx', { fg: '#94e2d5' }],
  ['direct colour with colons', '\u001b[48:2::1:2:3mx', { bg: '#010203' }],
  ['bright colour', '\u001b[90mx', { fg: 8 }],
  ['bold and dim', '\u001b[1;2mx', { bold: true, dim: true }],
  ['reset with more', '\u001b[31m\u001b[0;7mx', { fg: 'default', reverse: true }],
  ['no underline', '\u001b[4m\u001b[4:0mx', { underline: false }],
])('given %s, when it is read, then the style says so', (_name, given, expected) => {
  const [row] = parseAnsi(given);

  expect(row?.text).toBe('x');
  expect(row?.runs[0]?.style).toEqual({ ...PLAIN, ...expected });
});

test('given a hyperlink and a cursor movement, when they are read, then only their text remains', () => {
  const given = 'see \u001b]8;;https://example.com\u001b\\here\u001b]8;;\u001b\\ and\u001b[3C there\u000e\u000f';

  const [row] = parseAnsi(given);

  expect(row?.text).toBe('see here and there');
});

test('given a no-break space at the end of a row, when it is read, then it stays and ordinary spaces go', () => {
  expect(parseAnsi('❯\u00a0\nabc  \n').map((row) => row.text)).toEqual(['❯\u00a0', 'abc']);
});

test('given a row of many spaces before its last word, when it is read, then that takes no longer than any other row', () => {
  // A pattern for the spaces at the end tries at each of them, and takes minutes here.
  const given = `a${' '.repeat(400_000)}b  `;

  expect(parseAnsi(given).map((row) => row.text.length)).toEqual([400_002]);
});

test('given a position beyond the row, when its style is asked for, then it is plain', () => {
  const [row] = parseAnsi('\u001b[31mab');

  expect(row === undefined ? null : styleAt(row, 5)).toEqual(PLAIN);
});

test('given any bytes, when they are judged by any profile, then nothing throws', () => {
  const noise = fc.string({
    unit: fc.oneof(
      fc.constantFrom('\u001b[', '\u001b', ';', 'm', '38;5;', '\n', '─', '❯\u00a0', '›', '┃', '╹▀▀▀', '1. '),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    maxLength: 200,
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...BUILT_IN_PROFILES.values()),
      noise,
      fc.option(fc.nat(30)),
      (profile, capture, cursorRow) => {
        const facts = {
          dead: false,
          deadStatus: null,
          deadSignal: null,
          command: 'x',
          title: capture,
          historySize: 0,
          alternate: false,
          cursorRow,
        };

        expect(detect(profile, { facts, capture }).rule).toMatch(/^[a-z]+\/[a-z-]+$/u);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('given a capture cut anywhere, when any profile judges it, then nothing throws', () => {
  fc.assert(
    fc.property(
      fc.nat(CAPTURES.length - 1),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom(...BUILT_IN_PROFILES.values()),
      (index, part, profile) => {
        const given = CAPTURES[index];
        if (given === undefined) return;

        const { state } = detect(profile, {
          ...inputOf(given),
          capture: given.ansi.slice(0, Math.floor(given.ansi.length * part)),
        });

        expect(state.kind).toBeTypeOf('string');
      },
    ),
    { numRuns: 500 },
  );
});

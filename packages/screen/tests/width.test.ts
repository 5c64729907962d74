/** Checks that a pane that is narrower than its program is judged the same. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detect, judge, labelOf, parseAnsi, PLAIN } from '../src/index.ts';
import type { Row } from '../src/index.ts';
import { CAPTURES, inputOf, profileOf } from './captures.ts';
import { paint } from './paint.ts';

/**
 * Screens whose state rests on colour, place and title: not dialogs, whose hints can be cut away, not OpenCode, which
 * draws its box in the middle, not a retry of Pi that a person ended, which its words tell beyond column 50, and not the sidebar of Copilot CLI,
 * whose edge would be cut away.
 */
const OPEN = CAPTURES.filter(
  ({ name, file, ansi }) =>
    ['ready', 'typed', 'processing'].includes(file.label) &&
    file.program !== 'opencode' &&
    !name.startsWith('copilot/sidebar') &&
    !(name.startsWith('pi/') && ansi.includes('Retry cancelled')),
);

/** Narrower than this the programs themselves draw something else. Source: the recorded screens of 30 columns. */
const NARROWEST = 30;

test('given a screen cut at any width, when it is judged, then busy and idle stay what they are', () => {
  fc.assert(
    fc.property(fc.nat(OPEN.length - 1), fc.integer({ min: NARROWEST, max: 220 }), (index, width) => {
      const given = OPEN[index];
      if (given === undefined) return;
      const profile = profileOf(given);
      const before = labelOf(detect(profile, inputOf(given)).state);

      const cut = paint(parseAnsi(given.ansi).map((row) => cutTo(row, width)));
      const after = labelOf(detect(profile, { ...inputOf(given), capture: cut }).state);

      expect(after).toBe(before);
    }),
    { numRuns: 500 },
  );
});

/** Programs that break long rows between words; the others draw frames around them. */
const WRAPPED = CAPTURES.filter(({ file }) => file.program === 'claude' || file.program === 'codex');

test.each([70, 50])(
  'given a pane of %i columns in which rows are broken, when it is judged, then it keeps its label',
  (width) => {
    const when = WRAPPED.map(({ name, file, ansi }) => {
      const parts = parseAnsi(ansi).map((row) => brokenAt(row, width));
      const above = parts.slice(0, Number(file.cursor_y ?? 0)).flat();
      return { name, ...judge({ ...file, cursor_y: above.length }, paint(parts.flat())) };
    });

    expect(when.filter(({ right }) => !right)).toEqual([]);
  },
);

/** The rows into which a row is broken: those after the first stand where its text began, behind a marker. */
function brokenAt(row: Row, width: number): readonly Row[] {
  if (row.text.length <= width || RULE.test(row.text)) return [cutTo(row, width)];
  const indent = Math.min(/^\s*(?:[^\p{L}\p{N}\s"(] )?/u.exec(row.text)?.[0].length ?? 0, 8);
  const end = row.text.lastIndexOf(' ', width);
  const at = end > indent ? end : width;
  return [
    cutTo(row, at),
    ...brokenAt(indented(row, { from: row.text.slice(at).search(/\S/u) + at, by: indent }), width),
  ];
}

const RULE = /[─▔╌]{20}/u;

function indented(row: Row, { from, by }: { from: number; by: number }): Row {
  const rest = row.runs.flatMap((run) => {
    const text = run.text.slice(Math.max(from - run.at, 0));
    return text === '' ? [] : [{ ...run, at: Math.max(run.at - from, 0) + by, text }];
  });
  const space = ' '.repeat(by);
  const runs = [{ at: 0, text: space, style: PLAIN }, ...rest];
  return {
    text: runs
      .map(({ text }) => text)
      .join('')
      .replace(/(?<! ) +$/u, ''),
    runs,
  };
}

function cutTo(row: Row, width: number): Row {
  const runs = row.runs.map((run) => ({ ...run, text: run.text.slice(0, Math.max(width - run.at, 0)) }));
  return { text: row.text.slice(0, width), runs: runs.filter((run) => run.text !== '') };
}

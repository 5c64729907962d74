/** Is a pane that is narrower than its program judged the same? */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detect, labelOf, parseAnsi } from '../src/index.ts';
import type { Row } from '../src/index.ts';
import { CAPTURES, lookAt, profileOf } from './captures.ts';
import { paint } from './paint.ts';

/**
 * Screens whose state rests on colour, place and title: not dialogs, whose hints can be cut away, and not OpenCode, which
 * draws its box in the middle.
 */
const OPEN = CAPTURES.filter(
  ({ file }) => ['ready', 'typed', 'processing'].includes(file.label) && file.program !== 'opencode',
);

/** Narrower than this the programs themselves draw something else. Source: the recorded screens of 30 columns. */
const NARROWEST = 30;

test('given a screen cut at any width, when it is judged, then busy and idle stay what they are', () => {
  fc.assert(
    fc.property(fc.nat(OPEN.length - 1), fc.integer({ min: NARROWEST, max: 220 }), (index, width) => {
      const given = OPEN[index];
      if (given === undefined) return;
      const profile = profileOf(given);
      const before = labelOf(detect(profile, lookAt(given)).state);

      const cut = paint(parseAnsi(given.ansi).map((row) => cutTo(row, width)));
      const after = labelOf(detect(profile, { ...lookAt(given), capture: cut }).state);

      expect(after).toBe(before);
    }),
    { numRuns: 500 },
  );
});

function cutTo(row: Row, width: number): Row {
  const runs = row.runs.map((run) => ({ ...run, text: run.text.slice(0, Math.max(width - run.at, 0)) }));
  return { text: row.text.slice(0, width), runs: runs.filter((run) => run.text !== '') };
}

/** Checks that the answers that Pi shows, which are not marked, are not taken for what Pi itself says. */
import { expect, test } from 'vitest';
import { detect, labelOf, parseAnsi, PLAIN } from '../src/index.ts';
import type { Row, Style } from '../src/index.ts';
import { findBox } from '../src/composer/box.ts';
import { viewOf } from '../src/regions.ts';
import { captureOf, inputOf, profileOf } from './captures.ts';
import { paint } from './paint.ts';

/** Looks of Markdown in an answer: a heading, code, a link; the last is red and bold, which errors of Pi are not. */
const LOOKS = [{ fg: 3, bold: true }, { fg: 6 }, { fg: 4, underline: true }, {}, { fg: 1, bold: true }] as const;

/** A row of an answer, one blank from the left. */
function said(text: string, look: Partial<Style>): Row {
  return { text: ` ${text}`, runs: [{ at: 0, text: ` ${text}`, style: { ...PLAIN, ...look } }] };
}

/** The capture with rows of an answer right above its composer. */
function withAnswer(name: string, rows: readonly Row[]): ReturnType<typeof detect> {
  const capture = captureOf(name);
  const { facts } = inputOf(capture);
  const profile = profileOf(capture);
  const all = parseAnsi(capture.ansi);
  const { end } = viewOf(profile, all, { title: facts.title, box: findBox(profile, all, facts.cursorRow) });
  const room = { text: '', runs: [] };
  const shown = [...all.slice(rows.length + 1, end), ...rows, room, ...all.slice(end)];
  return detect(profile, { facts, capture: paint(shown) });
}

test.each([
  'Error: 429: {"type":"rate_limit_error","message":"You have hit your usage limit"}',
  'Error: Retry failed after 2 attempts: Retry cancelled',
  'Operation aborted',
])(
  'given an answer that says "%s" in Markdown, when it is read, then the turn neither failed nor was interrupted',
  (words) => {
    const seen = LOOKS.map((look) => withAnswer('pi/done-say-120', [said(words, look)]).state);

    expect(seen.map(labelOf)).toEqual(LOOKS.map(() => 'ready'));
    expect(seen).toMatchObject(LOOKS.map(() => ({ after: 'completed' })));
  },
);

test('given an answer that speaks of steering, when the turn runs, then no text counts as queued', () => {
  const seen = LOOKS.map((look) => withAnswer('pi/working-1-120', [said('Steering: turn left', look)]).state);

  expect(seen).toMatchObject(LOOKS.map(() => ({ kind: 'processing', queued: false })));
});

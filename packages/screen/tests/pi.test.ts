/** Checks that the answers that Pi shows, which are not marked, are not taken for what Pi itself says. */
import { expect, test } from 'vitest';
import { detect, labelOf, parseAnsi, PLAIN } from '../src/index.ts';
import type { Row, Style } from '../src/index.ts';
import { findBox } from '../src/composer/box.ts';
import { viewOf } from '../src/regions.ts';
import { captureOf, inputOf, profileOf } from './captures.ts';
import { paint } from './paint.ts';

/** Styles of Markdown in an answer: a heading, code, a link; the last is red and bold, which errors of Pi are not. */
const STYLES = [{ fg: 3, bold: true }, { fg: 6 }, { fg: 4, underline: true }, {}, { fg: 1, bold: true }] as const;

/** A row of an answer, one blank from the left. */
function said(text: string, style: Partial<Style>): Row {
  return { text: ` ${text}`, runs: [{ at: 0, text: ` ${text}`, style: { ...PLAIN, ...style } }] };
}

/** The capture with rows of an answer right above its composer, and its last rows as changed. */
function withAnswer(
  name: string,
  rows: readonly Row[],
  change: (live: readonly Row[]) => readonly Row[] = (live) => live,
): ReturnType<typeof detect> {
  const capture = captureOf(name);
  const { facts } = inputOf(capture);
  const profile = profileOf(capture);
  const all = parseAnsi(capture.ansi);
  const { end } = viewOf(profile, all, { title: facts.title, box: findBox(profile, all, facts.cursorRow) });
  const room = { text: '', runs: [] };
  const shown = [...all.slice(rows.length + 1, end), ...rows, room, ...change(all.slice(end))];
  return detect(profile, { facts, capture: paint(shown) });
}

/** A rule of the composer that says how much it hides. */
function ruleThatSays(words: string): Row {
  const text = `─── ${words} `.padEnd(120, '─');
  return { text, runs: [{ at: 0, text, style: { ...PLAIN, dim: true } }] };
}

/** An answer with the words of the dialog that asks for trust. */
const ASKS = ['Trust project folder?', '→ Trust', '  Do not trust'].map((text) => said(text, { bold: true }));

test.each([
  'Error: 429: {"type":"rate_limit_error","message":"You have hit your usage limit"}',
  'Error: Retry failed after 2 attempts: Retry cancelled',
  'Operation aborted',
])(
  'given an answer that says "%s" in Markdown, when it is read, then the turn neither failed nor was interrupted',
  (words) => {
    const seen = STYLES.map((style) => withAnswer('pi/done-say-120', [said(words, style)]).state);

    expect(seen.map(labelOf)).toEqual(STYLES.map(() => 'ready'));
    expect(seen).toMatchObject(STYLES.map(() => ({ after: 'completed' })));
  },
);

test('given an answer that speaks of steering, when the turn runs, then no text counts as queued', () => {
  const seen = STYLES.map((style) => withAnswer('pi/working-1-120', [said('Steering: turn left', style)]).state);

  expect(seen).toMatchObject(STYLES.map(() => ({ kind: 'processing', queued: false })));
});

test.each([
  ['above', (live: readonly Row[]) => live.with(0, ruleThatSays('↑ 3 more'))],
  ['below', (live: readonly Row[]) => live.with(2, ruleThatSays('↓ 12 more'))],
])(
  'given a draft that goes on %s its box, and an answer that asks for trust, when it is read, then it is a part of a draft and no dialog',
  (_where, change) => {
    const { state } = withAnswer('pi/typed-120', ASKS, change);

    expect(state).toMatchObject({ kind: 'ready', composer: { kind: 'text', text: 'SAY hello', whole: false } });
  },
);

test('given a screen without a composer, when an answer asks for trust between plain rules, then it is no dialog', () => {
  const text = '─'.repeat(80);
  const rule = { text, runs: [{ at: 0, text, style: PLAIN }] };
  const blank = { text: '', runs: [] };

  const { state } = withAnswer('pi/typed-120', [rule, ...ASKS, rule], (live) => live.map(() => blank));

  expect(state).toMatchObject({ kind: 'unknown' });
});

test('given the dialog of Pi that asks for trust, when its lower rule is not drawn yet, then it is not answered', () => {
  const capture = captureOf('pi/trust-120');
  const { facts } = inputOf(capture);
  const rows = parseAnsi(capture.ansi);
  const whole = detect(profileOf(capture), { facts, capture: paint(rows) });
  const part = detect(profileOf(capture), { facts, capture: paint(rows.slice(0, 14)) });

  expect(whole.state).toMatchObject({ kind: 'dialog', dialog: { kind: 'trust', trust: {} } });
  expect(part.state.kind).not.toBe('dialog');
});

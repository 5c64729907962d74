/** Checks that a notice of OpenCode, drawn like its errors but at the right, is no error of the turn. */
import { expect, test } from 'vitest';
import { detect, labelOf, parseAnsi, PLAIN } from '../src/index.ts';
import type { Row } from '../src/index.ts';
import { findBox } from '../src/composer/box.ts';
import { viewOf } from '../src/regions.ts';
import { captureOf, inputOf, profileOf } from './captures.ts';
import { paint } from './paint.ts';

const ROOM = ' '.repeat(120);

/** A bar that can be seen, on the background of a box. */
const NOTICE: Row = {
  text: `${ROOM}┃  Copied to clipboard`,
  runs: [
    { at: 0, text: ROOM, style: { ...PLAIN, bg: 232 } },
    { at: ROOM.length, text: '┃  Copied to clipboard', style: { ...PLAIN, fg: 75, bg: 233 } },
  ],
};

test('given an answered turn with a notice beside it, when the screen is judged, then it is ready', () => {
  const capture = captureOf('opencode/answered-ready-500');
  const profile = profileOf(capture);
  const { facts } = inputOf(capture);
  const rows = parseAnsi(capture.ansi);
  const { turn } = viewOf(profile, rows, { title: facts.title, box: findBox(profile, rows, facts.cursorRow) });

  const when = detect(profile, { facts, capture: paint(rows.with(turn + 2, NOTICE)) });

  expect(turn).toBeGreaterThan(0);
  expect(labelOf(when.state)).toBe('ready');
});

test('given a program that was ready, when Ctrl-C takes its screen away and it has not ended, then it does not start; at its start it does', () => {
  const capture = captureOf('opencode/ctrl-c-empty-220');
  const profile = profileOf(capture);
  const { facts } = inputOf(capture);
  const ending = { facts: { ...facts, command: 'opencode', title: '' }, capture: capture.ansi };
  const previous = { kind: 'ready', after: 'completed', composer: { kind: 'empty' } } as const;

  expect(detect(profile, { ...ending, previous })).toMatchObject({
    state: { kind: 'unknown', why: 'nothing-matched' },
    rule: 'opencode/screen-gone',
  });
  expect(detect(profile, ending)).toMatchObject({ state: { kind: 'starting' }, rule: 'opencode/no-screen-yet' });
});

/** Reads the screen of Copilot CLI beside its sidebar of sessions. The recorded captures show each state of it; here stands what tells them apart. */
import { expect, test } from 'vitest';
import { detect } from '../src/index.ts';
import type { DetectInput } from '../src/index.ts';
import { captureOf, inputOf, profileOf } from './captures.ts';

const EDGE = /[│┃]/u;

function stateOf(name: string, drawn: (row: string, at: number, rows: readonly string[]) => string): unknown {
  const capture = captureOf(name);
  const input: DetectInput = inputOf(capture);
  const rows = input.capture.split('\n').slice(0, -1);
  return detect(profileOf(capture), { ...input, capture: rows.map(drawn).join('\n') }).state;
}

test('given the sidebar with the keys, when the screen is read, then it is a dialog with the hint of the sidebar, and no composer', () => {
  expect(stateOf('copilot/sidebar_focused-120', (row) => row)).toEqual({
    kind: 'dialog',
    dialog: { kind: 'other', title: '↑/↓ · enter open · x close · n new', body: '', options: [] },
  });
});

test('given the sidebar, when one session has a name with its edge and wide letters, then what stands in the composer is read', () => {
  expect(stateOf('copilot/sidebar_typed-120', (row) => row.replace('SAY hello', 'シェル │ 修'))).toMatchObject({
    kind: 'ready',
    composer: { kind: 'text', text: 'SLOW please', whole: true },
  });
});

test('given an answer that draws the edge in each of its rows, when the screen is read, then nothing of it is left out', () => {
  const drawn = stateOf('copilot/typed-120', (row, at) => (at < 30 ? `     x │ n new │ ${row}` : row));

  expect(drawn).toMatchObject({ kind: 'ready', composer: { kind: 'text', text: 'drover looks at these words' } });
});

test('given a screen without the edge in one row, when it is read, then no sidebar is seen there', () => {
  const state = stateOf('copilot/sidebar_focused-120', (row, at, rows) =>
    at === rows.length - 1 ? row.replace(EDGE, ' ') : row,
  );

  expect(state).toEqual({ kind: 'unknown', why: 'nothing-matched' });
});

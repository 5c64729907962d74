import { expect, test } from 'vitest';
import { columnsUsed, takeScreen, withoutGaps } from './screen.ts';
import type { Screen } from './screen.ts';

const frame = (number: number, rows: number, changed: readonly (readonly [number, string])[]) =>
  ({
    kind: 'frame',
    frame: number,
    columns: 80,
    rows,
    changed: changed.map(([at, text]) => [at, text] as [number, string]),
    cursor: null,
  }) as const;

function textOf(screen: Screen): readonly string[] {
  return screen.kind === 'shown' ? screen.rows.map(({ runs }) => runs.map(({ text }) => text).join('')) : [];
}

test('given frames, when rows change and the pane shrinks, then the screen is that of the last frame', () => {
  const first = takeScreen(
    { kind: 'connecting' },
    frame(1, 3, [
      [0, 'a'],
      [1, 'b'],
      [2, 'c'],
    ]),
  );
  const second = takeScreen(first, frame(2, 3, [[1, 'B']]));

  expect(textOf(second)).toEqual(['a', 'B', 'c']);
  expect(second.kind === 'shown' && first.kind === 'shown' && second.rows[0] === first.rows[0]).toBe(true);
  expect(textOf(takeScreen(second, frame(3, 2, [])))).toEqual(['a', 'B']);
});

test('given a screen that scrolls, when its rows move up by one, then they are the same rows, and one is new', () => {
  const first = takeScreen(
    { kind: 'connecting' },
    frame(1, 4, [
      [0, 'a'],
      [1, ''],
      [2, ''],
      [3, 'b'],
    ]),
  );
  const second = takeScreen(
    first,
    frame(2, 4, [
      [0, ''],
      [2, 'b'],
      [3, 'b'],
    ]),
  );

  const [before, after] = [first, second].map((screen) => (screen.kind === 'shown' ? screen.rows : []));
  expect(textOf(second)).toEqual(['', '', 'b', 'b']);
  expect(after?.slice(0, 3)).toEqual(before?.slice(1));
  expect(new Set(after?.map(({ key }) => key)).size).toBe(4);
});

test('given a frame of a machine that lies, when it names a row beyond its own height, then the row is left out', () => {
  expect(
    textOf(
      takeScreen(
        { kind: 'connecting' },
        frame(1, 1, [
          [0, 'a'],
          [5_000, 'z'],
        ]),
      ),
    ),
  ).toEqual(['a']);
});

test('given a screen, when its terminal ends, then the reason is shown in its place', () => {
  const ended = takeScreen({ kind: 'connecting' }, { kind: 'ended', code: 'moved', message: 'the worker has moved' });

  expect(ended).toEqual({ kind: 'ended', code: 'moved', message: 'the worker has moved' });
});

test('given a tall pane that is empty in the middle, when it is wrapped, then two empty rows stand for all', () => {
  const rows = ['a', '', ' ', '', '', 'b', '', 'c'].map((text, at) => [at, text] as const);
  const screen = takeScreen({ kind: 'connecting' }, frame(1, 8, rows));

  const shown = screen.kind === 'shown' ? withoutGaps(screen.rows) : [];

  expect(shown.map(({ runs }) => runs.map(({ text }) => text).join(''))).toEqual(['a', '', ' ', 'b', '', 'c']);
});

test.each([
  [['short', 'a longer row   '], 12],
  [['words', '─'.repeat(500)], 60],
  [[''], 1],
])('given the rows %j, then letters are made small for %i columns', (rows, columns) => {
  const { rows: shown } = takeScreen(
    { kind: 'connecting' },
    frame(
      1,
      rows.length,
      rows.map((row, at) => [at, row]),
    ),
  ) as Extract<Screen, { kind: 'shown' }>;

  expect(columnsUsed(shown)).toBe(columns);
});

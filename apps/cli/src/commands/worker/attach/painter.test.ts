import { expect, test } from 'vitest';
import type { ScreenFrame } from '@drover/protocol';
import { Painter } from './painter.ts';

const frameOf = (lines: readonly string[], more: Partial<ScreenFrame> = {}): ScreenFrame => ({
  kind: 'frame',
  frame: 1,
  columns: 80,
  rows: lines.length,
  changed: lines.map((text, row) => [row, text]),
  cursor: null,
  ...more,
});
/** Strips the sequences that begin and end each painting. */
const inner = (painted: string): string =>
  painted.replace('\u001b[?2026h\u001b[?25l', '').replace('\u001b[?2026l', '').replaceAll('\u001b[0m\u001b[2K', '|');

test('given a frame, when a row changes, then only this row is painted, and the cursor is where it is in the pane', () => {
  const painter = new Painter({ columns: 10, rows: 4 });
  expect(inner(painter.frame(frameOf(['one', '\u001b[31mtwo', ''])))).toBe(
    '\u001b[1;1H|one\u001b[2;1H|\u001b[0;38;5;1mtwo\u001b[0m\u001b[3;1H|\u001b[4;1H|',
  );

  const next = frameOf(['', '', ''], { changed: [[1, '2']], cursor: { x: 1, y: 1 } });

  expect(inner(painter.frame(next))).toBe('\u001b[2;1H|2\u001b[2;2H\u001b[?25h');
});

test('given a machine that lies, when its rows are painted, then nothing but text and colours reaches the terminal', () => {
  const painter = new Painter({ columns: 20, rows: 3 });
  const evil = 'a\u001b]52;c;eA==\u0007b\u001b[2Jc\u202ed\u009b31me\u001b[6nf\u0007\rg\u200bh';

  const painted = inner(
    painter.frame(
      frameOf([evil, ''], {
        changed: [
          [0, evil],
          [999, 'x'],
        ],
        cursor: { x: 9_999, y: 9_999 },
      }),
    ),
  );

  expect(painted).toBe('\u001b[1;1H|abcd31mefgh\u001b[2;1H|\u001b[3;1H|');
});

test('given a pane that is larger than the terminal, when it is painted, then rows are cut at the edge, and the part with the cursor is shown', () => {
  const painter = new Painter({ columns: 4, rows: 3 });
  const lines = ['0', '1', '2', '3 漢漢', '4'];

  const painted = inner(painter.frame(frameOf(lines, { cursor: { x: 0, y: 3 } })));

  expect(painted).toBe('\u001b[1;1H|2\u001b[2;1H|3 漢\u001b[3;1H|\u001b[2;1H\u001b[?25h');
});

test('given a status, when the terminal gets another size, then all is painted again, with the status in the last row', () => {
  const painter = new Painter({ columns: 10, rows: 2 });
  painter.frame(frameOf(['one']));
  expect(inner(painter.status('adam'))).toBe('\u001b[2;1H|\u001b[0;7madam\u001b[0m');
  expect(painter.status('adam')).toBe('');

  expect(inner(painter.resize({ columns: 3, rows: 3 }))).toBe(
    '\u001b[1;1H|one\u001b[2;1H|\u001b[3;1H|\u001b[0;7mada\u001b[0m',
  );
});

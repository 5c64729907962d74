/** Finds the composer on the screen. */
import type { Row } from '../ansi.ts';
import { frameBar } from './bar.ts';
import type { Box } from './frame.ts';
import { promptRow } from './prompt.ts';
import { betweenRules } from './rules.ts';
import type { ComposerShape, Profile } from '../profile/schema.ts';

/**
 * The lowest composer on the screen, or null.
 *
 * @param cursor The row of the cursor, if known. A running program keeps it in its composer: one without it was left
 *   by a program that has ended, or is only printed. Source: all 1,153 recorded screens; the profile of a
 *   program that does not says so.
 */
export function findBox(profile: Profile, rows: readonly Row[], cursor: number | null): Box | null {
  const cursorRow = profile.screen.cursorInside ? cursor : null;
  const box = boxOf(profile.screen.composer, rows, cursorRow);
  return box === null || cursorRow === null || (cursorRow >= box.top && cursorRow <= box.bottom) ? box : null;
}

function boxOf(shape: ComposerShape, rows: readonly Row[], cursorRow: number | null): Box | null {
  switch (shape.kind) {
    case 'between-rules':
      return betweenRules(shape, rows);
    case 'prompt-row':
      return promptRow(shape, rows, cursorRow);
    case 'bar':
      return frameBar(shape, rows);
    default:
      return shape satisfies never;
  }
}

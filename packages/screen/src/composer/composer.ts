/** Reads the content of the composer. */
import type { Composer } from '@drover/core';
import { parseAnsi } from '../ansi.ts';
import type { Box, Piece } from './frame.ts';
import { findBox } from './box.ts';
import type { Profile } from '../profile/schema.ts';
import { styleMatches } from '../style-test.ts';

/**
 * Reads what stands in the composer of a capture.
 *
 * @param capture Text of `capture-pane -p -e`.
 * @param cursorRow `cursor_y` of the pane, which tells a live composer from a printed one.
 * @returns `none` when no composer is on the screen.
 */
export function composerOf(profile: Profile, capture: string, cursorRow: number | null = null): Composer {
  const box = findBox(profile, parseAnsi(capture), cursorRow);
  return box === null ? { kind: 'none' } : readBox(profile, box);
}

/** Reads the content of a composer: a placeholder is `empty`, a suggestion behind the typed text is left out. */
export function readBox(profile: Profile, box: Box): Composer {
  const { placeholder, paste, attachment } = profile.screen;
  const isPlaceholder = (piece: Piece): boolean =>
    placeholder.style !== undefined && styleMatches(placeholder.style, piece.style);
  const lines = box.lines.map((line) =>
    withoutSuggestion(line, isPlaceholder)
      .map((piece) => piece.text)
      .join('')
      .trimEnd(),
  );
  const text = box.lead + lines.join('\n').replace(/^\n+|\n+$/gu, '');
  if (text.trim() === '' || placeholder.matches?.test(text.trim()) === true) return { kind: 'empty' };
  const pasted = paste.test(text);
  return { kind: 'text', text, whole: !box.scrolled && !pasted && attachment?.test(text) !== true, pasted };
}

/** Drops pieces in the placeholder's style, and the cursor cell that stands on the first of them. */
function withoutSuggestion(line: readonly Piece[], isPlaceholder: (piece: Piece) => boolean): Piece[] {
  return line.filter((piece, index) => {
    const next = line[index + 1];
    return !isPlaceholder(piece) && !(piece.style.reverse && next !== undefined && isPlaceholder(next));
  });
}

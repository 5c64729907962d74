/** Checks whether the composer holds the text that was typed. */
import type { Composer } from '@drover/core';

/** Part of a text that the composer holds. */
type BoxHolds = 'whole' | 'part' | 'other' | 'empty' | 'placeholder';

/** White space, and what programs drop from typed text: zero-width characters. Wrapping eats and adds such characters. */
const DROPPED = /[\s\u00a0\u200b-\u200d\ufeff]+/gu;

/**
 * Compares a composer with a text, without regard to white space: boxes wrap lines and trim their ends. Letters
 * with accents are one character here, however they were typed: programs put them together (measured: Claude Code 2.1.330).
 *
 * @returns `whole`: exactly the text. `part`: a piece of it; with `composer.whole` false the box has scrolled, and the rest
 *   may stand above. `placeholder`: a paste is shown by a placeholder. `other`: anything else. `empty`: nothing, or no composer.
 */
export function boxHolds(composer: Composer, text: string): BoxHolds {
  if (composer.kind !== 'text') return 'empty';
  if (composer.pasted) return 'placeholder';
  const held = bare(composer.text);
  const wanted = bare(text);
  if (held === '') return 'empty';
  if (held === wanted) return 'whole';
  return wanted.includes(held) ? 'part' : 'other';
}

function bare(text: string): string {
  return text.replace(DROPPED, '').normalize('NFC');
}

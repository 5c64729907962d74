/** Is this character drawn as a profile says? */
import { PLAIN } from './ansi.ts';
import type { Colour, Style } from './ansi.ts';
import type { StyleTest } from './profile/schema.ts';

/**
 * Tests a style.
 *
 * @param marker The style of the row's first visible character, for the colours `marker` and `accent`.
 */
export function styleMatches(test: StyleTest, style: Style, marker: Style = PLAIN): boolean {
  return (
    (test.fg === undefined || colourMatches(test.fg, style.fg, marker.fg)) &&
    (test.bg === undefined || colourMatches(test.bg, style.bg, marker.bg)) &&
    (test.bold === undefined || test.bold === style.bold) &&
    (test.dim === undefined || test.dim === style.dim) &&
    (test.reverse === undefined || test.reverse === style.reverse) &&
    (test.plain === undefined || test.plain === isPlain(style))
  );
}

/** No foreground colour and no attribute. */
export function isPlain(style: Style): boolean {
  return style.fg === 'default' && !style.bold && !style.dim && !style.reverse && !style.italic && !style.underline;
}

function colourMatches(expected: string | number, actual: Colour, marker: Colour): boolean {
  if (expected === 'coloured') return actual !== 'default';
  if (expected === 'marker') return actual === marker && actual !== 'default';
  if (expected === 'accent') return actual !== marker && actual !== 'default';
  return expected === actual;
}

/** Tests whether a character is drawn as a profile says. */
import { PLAIN } from './ansi.ts';
import type { Colour, Style } from './ansi.ts';
import type { StyleTest } from './profile/schema.ts';

/** Styles that the colours of a character are compared with. */
export interface Surroundings {
  /** The style of the row's first visible character, for the colours `marker` and `accent`. */
  readonly marker: Style;
  /** The background on which the row starts, for the colours `ground` and `raised`. */
  readonly ground: Colour;
}

const NOTHING_AROUND: Surroundings = { marker: PLAIN, ground: 'default' };

/** Tests a style. */
export function styleMatches(test: StyleTest, style: Style, around: Surroundings = NOTHING_AROUND): boolean {
  const { marker, ground } = around;
  return (
    (test.fg === undefined || colourMatches(test.fg, style.fg, { marker: marker.fg, ground })) &&
    (test.bg === undefined || colourMatches(test.bg, style.bg, { marker: marker.bg, ground })) &&
    (test.bold === undefined || test.bold === style.bold) &&
    (test.dim === undefined || test.dim === style.dim) &&
    (test.reverse === undefined || test.reverse === style.reverse) &&
    (test.plain === undefined || test.plain === isPlain(style))
  );
}

/** Tells whether a style has no foreground colour and no attribute. */
export function isPlain(style: Style): boolean {
  return style.fg === 'default' && !style.bold && !style.dim && !style.reverse && !style.italic && !style.underline;
}

function colourMatches(
  expected: string | number,
  actual: Colour,
  { marker, ground }: { marker: Colour; ground: Colour },
): boolean {
  if (expected === 'ground') return actual === ground;
  if (expected === 'raised') return actual !== ground;
  if (expected === 'coloured') return actual !== 'default';
  if (expected === 'marker') return actual === marker && actual !== 'default';
  if (expected === 'accent') return actual !== marker && actual !== 'default';
  return expected === actual;
}

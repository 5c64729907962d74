/** Writes styled rows as text with colour sequences again: each row by itself, with nothing in it but text and those sequences. */
import { PLAIN, type Colour, type Row, type Style } from './ansi.ts';

const ATTRIBUTES = [
  ['bold', 1],
  ['dim', 2],
  ['italic', 3],
  ['underline', 4],
  ['reverse', 7],
  ['strike', 9],
] as const;

/** Writes one row as a terminal takes it. The row begins and ends without colours, whatever stood in the row before it. */
export function rowText({ runs }: Row): string {
  let text = '';
  let before: Style = PLAIN;
  for (const run of runs) {
    if (run.style !== before) text += sequenceOf(run.style);
    // Terminals may take the controls of ISO 8859 for the beginning of a sequence, too.
    text += run.text.replaceAll(/\p{Cc}/gu, '');
    before = run.style;
  }
  return before === PLAIN ? text : `${text}\u001b[0m`;
}

function sequenceOf(style: Style): string {
  const codes = [0, ...ATTRIBUTES.flatMap(([name, code]) => (style[name] ? [code] : []))];
  return `\u001b[${[...codes, ...colourCodes(style.fg, 38), ...colourCodes(style.bg, 48)].join(';')}m`;
}

function colourCodes(colour: Colour, kind: 38 | 48): readonly number[] {
  if (colour === 'default') return [];
  if (typeof colour === 'number') return [kind, 5, colour & 255];
  const value = Number.parseInt(colour.slice(1), 16);
  return [kind, 2, (value >> 16) & 255, (value >> 8) & 255, value & 255];
}

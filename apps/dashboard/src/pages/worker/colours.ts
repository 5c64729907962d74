/**
 * Reads the colours of a row of a screen. Everything else that a terminal would carry out is left out: no sequence of a pane reaches the
 * page as anything but a class or a colour.
 */

/** Text in one style. */
export interface Run {
  readonly text: string;
  readonly style: Style;
}

/** A colour: a number of the palette of 16, or one of its own. */
export type Colour =
  | { readonly kind: 'named'; readonly index: number }
  | { readonly kind: 'own'; readonly css: string };

export interface Style {
  readonly front: Colour | null;
  readonly back: Colour | null;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly inverse: boolean;
}

const PLAIN: Style = {
  front: null,
  back: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
};

/** Sequences: CSI with its parameters and its last letter, OSC up to its end, and the short ones. */
const SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- These characters are the subject.
  /\u001b\[(?<args>[0-9;:]*)(?<letter>[@-~])|\u001b\[[^@-~]*[@-~]?|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[()*+][A-Z0-9]?|\u001b./gu;

/** Cuts a row into runs of one style each. */
export function runsOf(row: string): readonly Run[] {
  const runs: Run[] = [];
  let style = PLAIN;
  let at = 0;
  const push = (text: string): void => {
    if (text !== '') runs.push({ text, style });
  };
  for (const found of row.matchAll(SEQUENCE)) {
    push(row.slice(at, found.index));
    at = found.index + found[0].length;
    if (found.groups?.['letter'] === 'm') style = styleAfter(style, found.groups['args'] ?? '');
  }
  push(row.slice(at));
  return runs;
}

/** Changes by one number each. */
const CHANGES: Readonly<Record<number, Partial<Style>>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  39: { front: null },
  49: { back: null },
};

function styleAfter(before: Style, args: string): Style {
  const numbers = args.split(/[;:]/u).map(Number);
  let style = before;
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at] ?? 0;
    if (number === 38 || number === 48) {
      const { colour, length } = ownColour(numbers.slice(at + 1));
      style = { ...style, [number === 38 ? 'front' : 'back']: colour };
      at += length;
    } else style = number === 0 ? PLAIN : { ...style, ...CHANGES[number], ...namedColour(number) };
  }
  return style;
}

function namedColour(number: number): Partial<Style> {
  const bases = [
    [30, 0, 'front'],
    [40, 0, 'back'],
    [90, 8, 'front'],
    [100, 8, 'back'],
  ] as const;
  const found = bases.find(([first]) => number >= first && number <= first + 7);
  if (found === undefined) return {};
  const [first, offset, side] = found;
  return { [side]: { kind: 'named', index: number - first + offset } };
}

/** Reads `5;n` of the palette of 256, or `2;r;g;b`. `length`: the numbers that were read. */
function ownColour(numbers: readonly number[]): { readonly colour: Colour | null; readonly length: number } {
  const [kind, first = 0, second = 0, third = 0] = numbers;
  if (kind === 2) return { colour: { kind: 'own', css: rgb([first, second, third]) }, length: 4 };
  if (kind !== 5) return { colour: null, length: 1 };
  return { colour: first < 16 ? { kind: 'named', index: first } : { kind: 'own', css: ofPalette(first) }, length: 2 };
}

/** Colours 16 to 231 are a cube of six steps, 232 to 255 greys. */
function ofPalette(index: number): string {
  if (index >= 232) return rgb([8, 8, 8].map((base) => base + (index - 232) * 10));
  const place = index - 16;
  return rgb(
    [Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6].map((step) => (step === 0 ? 0 : 55 + step * 40)),
  );
}

function rgb(parts: readonly number[]): string {
  return `rgb(${parts.map((part) => Math.min(255, Math.max(0, Math.trunc(part) || 0))).join(' ')})`;
}

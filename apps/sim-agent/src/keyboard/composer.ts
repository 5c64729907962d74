// Holds the content of the prompt box: text, a cursor and collapsed pastes, as a value; every edit gives a new value.

/** A paste shown as a placeholder; its text is delivered when the prompt is submitted. */
export interface CollapsedPaste {
  readonly id: number;
  readonly text: string;
}

/** Position in the box: a code point or a collapsed paste. */
type Atom = string | CollapsedPaste;

/** The prompt box. `pasteCount` numbers the collapsed pastes of the whole conversation. */
export interface Composer {
  readonly atoms: readonly Atom[];
  readonly cursor: number;
  readonly pasteCount: number;
}

/** Pastes of this many lines, or more, are collapsed. Measured on Claude Code 2.1.330. */
const COLLAPSE_LINES_MIN = 4;
/** Pastes longer than this many characters are collapsed. Measured on Claude Code 2.1.330. */
const COLLAPSE_CHARS_OVER = 800;

/** A box with nothing in it, at the start of a conversation. */
export const EMPTY_COMPOSER: Composer = { atoms: [], cursor: 0, pasteCount: 0 };

/** Tells whether the box is empty. */
export function isEmpty(composer: Composer): boolean {
  return composer.atoms.length === 0;
}

/** Types text at the cursor. */
export function insertText(composer: Composer, text: string): Composer {
  return insert(composer, Array.from(text));
}

/** Pastes text at the cursor: as it is when short, as a placeholder when long. */
export function insertPaste(composer: Composer, text: string): Composer {
  const collapses = text.split('\n').length >= COLLAPSE_LINES_MIN || text.length > COLLAPSE_CHARS_OVER;
  if (!collapses) return insertText(composer, text);
  const id = composer.pasteCount + 1;
  return { ...insert(composer, [{ id, text }]), pasteCount: id };
}

/** Removes the character before the cursor; a collapsed paste goes as a whole. */
export function backspace(composer: Composer): Composer {
  return removeBetween(composer, composer.cursor - 1, composer.cursor);
}

/** Removes the character under the cursor. */
export function deleteForward(composer: Composer): Composer {
  return removeBetween(composer, composer.cursor, composer.cursor + 1);
}

/** Ctrl-U: removes from the start of the line to the cursor; at the start of a line, the line break before it. */
export function killLine(composer: Composer): Composer {
  const start = lineStart(composer);
  return removeBetween(composer, start === composer.cursor ? start - 1 : start, composer.cursor);
}

/** Ctrl-W: removes the word before the cursor. */
export function killWord(composer: Composer): Composer {
  let start = composer.cursor;
  while (start > 0 && isBlank(composer.atoms[start - 1])) start -= 1;
  while (start > 0 && !isBlank(composer.atoms[start - 1])) start -= 1;
  return removeBetween(composer, start, composer.cursor);
}

/** Empties the box; the numbering of pastes goes on. */
export function clear(composer: Composer): Composer {
  return { ...EMPTY_COMPOSER, pasteCount: composer.pasteCount };
}

/** Moves the cursor within the box. */
export function move(composer: Composer, to: 'left' | 'right' | 'home' | 'end'): Composer {
  const end = composer.atoms.findIndex((atom, index) => index >= composer.cursor && atom === '\n');
  const target = {
    left: Math.max(0, composer.cursor - 1),
    right: Math.min(composer.atoms.length, composer.cursor + 1),
    home: lineStart(composer),
    end: end === -1 ? composer.atoms.length : end,
  }[to];
  return { ...composer, cursor: target };
}

/** Returns the text that the box shows, with the cursor's place in it in UTF-16 units. */
export function displayed(composer: Composer): { readonly text: string; readonly cursor: number } {
  const before = composer.atoms.slice(0, composer.cursor).map(label).join('');
  const after = composer.atoms.slice(composer.cursor).map(label).join('');
  return { text: before + after, cursor: before.length };
}

/** Returns the text that is submitted: placeholders replaced by their text, `wrap`ped when the program alters long pastes. */
export function submitted(composer: Composer, wrap: (paste: CollapsedPaste) => string): string {
  return composer.atoms.map((atom) => (typeof atom === 'string' ? atom : wrap(atom))).join('');
}

/** Counts the collapsed pastes in the box. */
export function collapsedCount(composer: Composer): number {
  return composer.atoms.filter((atom) => typeof atom !== 'string').length;
}

function insert(composer: Composer, added: readonly Atom[]): Composer {
  const { atoms, cursor } = composer;
  return {
    ...composer,
    atoms: [...atoms.slice(0, cursor), ...added, ...atoms.slice(cursor)],
    cursor: cursor + added.length,
  };
}

function removeBetween(composer: Composer, from: number, to: number): Composer {
  if (from < 0 || from >= to) return composer;
  const atoms = [...composer.atoms.slice(0, from), ...composer.atoms.slice(to)];
  return { ...composer, atoms, cursor: from };
}

function lineStart(composer: Composer): number {
  for (let index = composer.cursor; index > 0; index -= 1) {
    if (composer.atoms[index - 1] === '\n') return index;
  }
  return 0;
}

function isBlank(atom: Atom | undefined): boolean {
  return atom === ' ' || atom === '\n' || atom === '\t';
}

/** The placeholder counts line breaks, not lines, and leaves the count out of a single long line. */
function label(atom: Atom): string {
  if (typeof atom === 'string') return atom;
  const breaks = atom.text.split('\n').length - 1;
  return breaks === 0 ? `[Pasted text #${atom.id}]` : `[Pasted text #${atom.id} +${breaks} lines]`;
}

// Finds characters that a person does not see or that make a terminal do something, and makes them visible.

// An emoji may hold selectors and joiners; without them most of them are other emoji.
const EMOJI =
  '[0-9#*]\\ufe0f\\u20e3|\\p{Extended_Pictographic}[\\ufe0e\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?(?:\\u200d\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)*';
// Controls; format characters, among them all that turn the direction of text; line and paragraph separators; halves of
// characters; and what fonts draw as nothing: fillers, selectors, tags. Source: Unicode 17, DerivedCoreProperties.txt.
const HIDDEN =
  '(?![\\n\\t])[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}]';

const ANY = new RegExp(HIDDEN, 'u');
const EACH_HIDDEN = new RegExp(HIDDEN, 'gu');
const EACH = new RegExp(`${EMOJI}|(?<hidden>${HIDDEN})`, 'gu');
// Source: Unicode 17, PropList.txt, Bidi_Control.
const BIDIRECTIONAL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
// A blank that is no space looks like a space; so two names look alike.
const ODD_BLANK = /[\n\t]|(?! )\p{Zs}/u;

/**
 * Shows hidden characters: each becomes its mark, `⟨U+202E⟩`. Line feeds, tabs and the joiners within an emoji stay. The result holds nothing
 * that a terminal carries out; shown again, the result is the same.
 */
export function showHidden(text: string): string {
  return replaceHidden(text, markOf);
}

export function countHidden(text: string): number {
  let count = 0;
  replaceHidden(text, (char) => {
    count += 1;
    return char;
  });
  return count;
}

/** Counts the characters of a text that turn its reading direction: code that reads one way and means another. */
export function countBidirectional(text: string): number {
  return text.match(BIDIRECTIONAL)?.length ?? 0;
}

/** Escapes hidden characters in JSON: as `\u202e` they mean the same to a parser. Hidden characters stand in strings only. */
export function escapeHidden(json: string): string {
  return ANY.test(json) ? json.replaceAll(EACH_HIDDEN, unicodeEscape) : json;
}

/**
 * Says why a text cannot be a name that people read: of a machine, a project, a token, a profile.
 *
 * @param what Thing to name, such as "a machine".
 * @returns A sentence that quotes the name and states the expectation, or null if the name is good.
 */
export function shownNameProblem(what: string, name: string): string | null {
  const quoted = showHidden(JSON.stringify(name.slice(0, SHOWN_NAME_CHARS_MAX)));
  const expected = `use 1 to ${SHOWN_NAME_CHARS_MAX} visible characters on one line, without a blank at either end`;
  const isGood =
    name !== '' &&
    name.length <= SHOWN_NAME_CHARS_MAX &&
    name.trim() === name &&
    countHidden(name) === 0 &&
    !ODD_BLANK.test(name);
  return isGood ? null : `${quoted} cannot be the name of ${what}: ${expected}`;
}

/** Characters (UTF-16) of a name at most: a table with it still fits a terminal. */
export const SHOWN_NAME_CHARS_MAX = 100;

function replaceHidden(text: string, by: (char: string) => string): string {
  // Most texts have no hidden character: then nothing is copied.
  if (!ANY.test(text)) return text;
  return text.replaceAll(EACH, (found, hidden: string | undefined) => (hidden === undefined ? found : by(found)));
}

function markOf(char: string): string {
  return `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

function unicodeEscape(char: string): string {
  const units = Array.from({ length: char.length }, (_, index) => char.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

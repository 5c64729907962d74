/** Finds declared names with a word that the glossary of docs/glossary.md has retired. */
import { declaredNames, storedNames, wordsOf, type DeclaredName } from '../source/declared-names.ts';
import type { Source } from '../source/source.ts';

/** Row of the glossary. */
export type GlossaryRow = {
  /** The words to use. */
  readonly say: string;
  /** The forms that no name may have. */
  readonly not: readonly Form[];
  /** Names that a form in `not` finds and that mean something else. */
  readonly fine: readonly Form[];
};

/** A form of a name: its words, what may stand around them, and which kinds of names it is about. */
type Form = {
  readonly text: string;
  readonly words: readonly string[];
  readonly openStart: boolean;
  readonly openEnd: boolean;
  readonly kind: DeclaredName['kind'] | null;
};

/** Names in protocols of others, which nobody here can change: by the beginning of a path. */
const FOREIGN: readonly { readonly path: string; readonly names: readonly string[] }[] = [
  { path: 'apps/chat-bot/src/channels/discord/', names: ['op'] },
  { path: 'apps/chat-bot/src/testing/discord-peer.ts', names: ['op'] },
  { path: 'migrations/', names: ['tg_op', 'jsonb_path_ops'] },
];

/**
 * Reads the rows of the table on a page.
 * The third and fourth column hold forms: `…seat…` is the word anywhere in a name, `order…` at its start, `…order` at its end, `look`
 * the whole name. `Words…` is about types only, `words.ts` about files, `order…()` about functions, all others about every name.
 */
export function readGlossary(page: string): readonly GlossaryRow[] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .slice(2)
    .map(([, say = '', , not = '', fine = '']) => ({ say, not: formsIn(not), fine: formsIn(fine) }));
}

function formsIn(cell: string): readonly Form[] {
  return [...cell.matchAll(/`([^`]+)`/gu)].map(([, text = '']) => readForm(text));
}

function readForm(text: string): Form {
  const bare = text.replaceAll('…', '').replace('()', '');
  const isFile = bare.endsWith('.ts');
  const kind = isFile ? 'file' : text.endsWith('()') ? 'function' : /^[A-Z][a-z]/u.test(bare) ? 'type' : null;
  return {
    text,
    words: wordsOf(bare),
    openStart: text.startsWith('…'),
    openEnd: /…(?:\.ts|\(\))?$/u.test(text),
    kind,
  };
}

/** Says, one line each, which names of a file use a retired word, and what to say instead. */
export function glossaryProblems(source: Source, glossary: readonly GlossaryRow[]): readonly string[] {
  return retiredIn(source.file, declaredNames(source), glossary);
}

/** The same of the names that a migration stores. */
export function storedNameProblems(file: string, sql: string, glossary: readonly GlossaryRow[]): readonly string[] {
  return retiredIn(file, storedNames(sql), glossary);
}

function retiredIn(file: string, names: readonly DeclaredName[], glossary: readonly GlossaryRow[]): readonly string[] {
  const foreign = new Set(FOREIGN.flatMap((it) => (file.startsWith(it.path) ? it.names : [])));
  return names.flatMap((declared) => {
    if (foreign.has(declared.name)) return [];
    // Takes the name apart once: there are hundreds of forms for each of some hundred thousand names.
    const name = { kind: declared.kind, words: wordsOf(declared.name) };
    for (const row of glossary) {
      const form = row.not.find((it) => matches(name, it));
      if (form === undefined || row.fine.some((it) => matches(name, it))) continue;
      return [
        `${file}:${declared.line}: ${declared.kind} "${declared.name}" has the form \`${form.text}\`: say ${row.say}`,
      ];
    }
    return [];
  });
}

function matches({ kind, words }: Pick<DeclaredName, 'kind'> & Pick<Form, 'words'>, form: Form): boolean {
  if (form.kind !== null && form.kind !== kind) return false;
  const starts = form.openStart ? words.map((_, at) => at) : [0];
  return starts.some((start) => {
    const end = start + form.words.length;
    if (end > words.length || (!form.openEnd && end !== words.length)) return false;
    return form.words.every((word, at) => isSame(word, words[start + at] ?? ''));
  });
}

/** A word is also found in its plural: `seat` in `seats`. */
function isSame(word: string, found: string): boolean {
  return found === word || found === `${word}s`;
}

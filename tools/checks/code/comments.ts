// Finds files that lack a comment, or name a path of one machine. Lint finds those that are too long or unfinished.
import { isTest, lineAt, type Source } from '../source/source.ts';
import { nameOf, walk, type AnyNode } from '../source/walk.ts';

/** Says, one line each, what a reader would miss in a file or should not find there. */
export function commentProblems(source: Source): readonly string[] {
  const found = emptyOpeners(source);
  return isTest(source.file) ? found : [...found, ...missingHead(source), ...machinePaths(source)];
}

/** First words that leave a sentence without its subject and its verb (docs/glossary.md says the words to use). */
const OPENERS = /^(?:What|Who|Which|Where|How|Why|Whether|One|Those|Of|It|They)\b/u;

/** A comment begins with a verb or a noun. Of several line comments in a row the first one counts. */
function emptyOpeners({ file, text, comments }: Source): string[] {
  return comments.flatMap((comment, index) => {
    const before = comments[index - 1];
    const goesOn =
      comment.type === 'Line' && before?.type === 'Line' && /^\n[ \t]*$/u.test(text.slice(before.end, comment.start));
    const word = goesOn ? undefined : OPENERS.exec(comment.value.replace(/^[*\s]+/u, ''))?.[0];
    if (word === undefined) return [];
    return [`${file}:${lineAt(text, comment.start)}: a comment begins with "${word}": begin with a verb or a noun`];
  });
}

/** A file begins with a comment that says what it is for, under a `#!` line where it is a program. */
function missingHead({ file, text, comments }: Source): string[] {
  const start = text.startsWith('#!') ? text.indexOf('\n') + 1 : 0;
  const first = comments.find((comment) => comment.start >= start);
  if (first !== undefined && text.slice(start, first.start).trim() === '') return [];
  return [`${file}:1: does not begin with a comment that says what the file is for`];
}

function machinePaths(source: Source): string[] {
  const found: string[] = [];
  walk(source.program, (node) => {
    const value = node.type === 'TemplateElement' ? source.text.slice(node.start, endOf(node)) : nameOf(node);
    if (node.type !== 'Literal' && node.type !== 'TemplateElement') return;
    const machine = /(?:^|[\s"'`:=(])(\/(?:work|root|home\/[a-z]\w*)(?:\/|$))/u.exec(value ?? '')?.[1];
    if (machine === undefined) return;
    found.push(`${source.file}:${lineAt(source.text, node.start)}: names ${machine}, a path of one machine`);
  });
  return found;
}

function endOf(node: AnyNode): number {
  return typeof node['end'] === 'number' ? node['end'] : node.start;
}

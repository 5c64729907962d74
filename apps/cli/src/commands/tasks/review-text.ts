/** How the work under review is printed. */
import type { ReviewView } from '@drover/api';
import { showHidden } from '@drover/core/hidden-characters';
import type { Terminal } from '../../terminal/terminal.ts';
import { many, paint, plain } from '../../terminal/style.ts';
import { workerLine } from '../workers/text.ts';

/** Which work it is, its commits, and how many characters of it a person would not see. */
export function reviewHead({ worker, commits, base, head, diff }: ReviewView, terminal: Terminal): string {
  const list = commits.map(
    ({ commit, subject, author }) => `  ${commit.slice(0, 12)} ${plain(subject)} (${plain(author)})`,
  );
  const names = commits.reduce((sum, { subject, author }) => sum + countMarks(subject) + countMarks(author), 0);
  const { characters, files } = hiddenIn(diff);
  const found = [
    ...(names === 0 ? [] : [`${many(names, 'hidden character')} in the commits`]),
    ...(characters === 0 ? [] : [`${many(characters, 'hidden character')} in ${many(files, 'file')}`]),
  ];
  return [
    workerLine(worker, { terminal }),
    `${base.slice(0, 12)}..${head.slice(0, 12)} on ${plain(worker.branch)}`,
    ...list,
    ...(found.length === 0 ? [] : [paint(`${found.join(', ')}: marked as ⟨U+…⟩`, 'yellow', terminal.colours)]),
    '',
  ].join('\n');
}

/** A unified diff with its colours; a carriage return at the end of a line is shown as `^M`, as git shows it. */
export function diffText(diff: string, { colours }: Pick<Terminal, 'colours'>): string {
  const lines = diff.split('\n').map((whole) => {
    const line = whole.replace(/\r$/, '^M');
    if (line.startsWith('+') && !line.startsWith('+++ ')) return addedLine(line, colours);
    if (line.startsWith('-') && !line.startsWith('--- ')) return paint(line, 'red', colours);
    if (line.startsWith('diff --git ')) return paint(line, 'bold', colours);
    return line.startsWith('@@') ? paint(line, 'cyan', colours) : line;
  });
  return lines.join('\n');
}

/** Blanks at the end of a new line are shown, as git does it. */
function addedLine(line: string, colours: boolean): string {
  const text = line.replace(/(?<=[+])[ \t]+$|(?<=\S)[ \t]+$/, '');
  const blanks = line.slice(text.length);
  return `${paint(text, 'green', colours)}${blanks === '' ? '' : paint(blanks, 'inverse', colours)}`;
}

/** Hidden characters of a diff, and in how many files they are; also of a list of files, where each line is one. */
function hiddenIn(diff: string): { characters: number; files: number } {
  let characters = 0;
  let isInHead = false;
  let file = 0;
  const files = new Set<number>();
  // Only line feeds end a line of a diff; a line of a file's own begins with a sign.
  for (const line of diff.split('\n')) {
    const isFirst = line.startsWith('diff --git ');
    isInHead = isFirst || (isInHead && !line.startsWith('@@'));
    const isListed = !isInHead && !/^[-+ @\\]/.test(line);
    if (isFirst || isListed) file += 1;
    // The head of a file repeats its name, in its first line twice: what is hidden in the name counts once.
    const whole = countMarks(line.replace(/\r$/, ''));
    const count = isFirst ? Math.ceil(whole / 2) : isInHead ? 0 : whole;
    characters += count;
    if (count > 0) files.add(file);
  }
  return { characters, files: files.size };
}

/** Marks that are shown; a zero byte is one already, because a machine can send none. */
function countMarks(text: string): number {
  return showHidden(text).match(/⟨U\+[0-9A-F]{4,6}⟩/g)?.length ?? 0;
}

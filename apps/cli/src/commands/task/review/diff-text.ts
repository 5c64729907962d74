/** Formats a diff. */
import type { Terminal } from '../../../terminal/terminal.ts';
import { paint } from '../../../terminal/style.ts';

/** Colours a unified diff; a carriage return at the end of a line is shown as `^M`, as git shows it. */
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

/** Marks blanks at the end of a new line, as git does. */
function addedLine(line: string, colours: boolean): string {
  const text = line.replace(/(?<=[+])[ \t]+$|(?<=\S)[ \t]+$/, '');
  const blanks = line.slice(text.length);
  return `${paint(text, 'green', colours)}${blanks === '' ? '' : paint(blanks, 'inverse', colours)}`;
}

/**
 * Parses feedback in a file: comments on lines, as compilers print their findings, and free text. Both people and tools
 * write it without an escape: `PATH:LINE: words`. A path that would not be parsed back as itself is written as a string
 * of JSON, as `drover review` prints it.
 */
import { CommandError } from '../../../exit-codes.ts';

export interface Comment {
  readonly path: string;
  readonly line: number;
  readonly side: 'before' | 'after';
  readonly text: string;
}

/** Content of the file: `text` is everything that is no comment. */
export interface Feedback {
  readonly text: string;
  readonly comments: readonly Comment[];
}

/** Mark of a line that is for the writer alone. */
export const NOTE = '#:';

const PLACE = /^("(?:[^"\\]|\\.)*"|[^\s"].*?):(-?)(\d+):(?:\d+:)?(?:\s+(.*))?$/u;
/** A place whose second colon was forgotten; only for text that looks like a path, because other text has numbers after a colon, too. */
const HALF_PLACE = /^("(?:[^"\\]|\\.)*"|[^\s":]+):-?\d+(?=\s|$)/u;
const LINE_MAX = 1_000_000_000;
const EXPECTED = 'expected "PATH:LINE: text", or a blank before text that is not a comment';

/** Parses the file. @param name Name of the file in messages. @throws {CommandError} `usage` with the number of the first bad line. */
export function parseFeedback(file: string, name: string): Feedback {
  const text: string[] = [];
  const comments: { place: Omit<Comment, 'text'>; words: string[] }[] = [];
  let current: string[] = text;
  for (const [index, whole] of file.split('\n').entries()) {
    const line = whole.replace(/\r$/, '');
    if (line.startsWith(NOTE)) continue;
    const bad = (why: string): CommandError => new CommandError('usage', `${name}:${index + 1}: ${why}`);
    const isMore = line === '' || /^\s/u.test(line);
    const found = isMore ? null : readPlace(line, bad);
    if (found !== null) {
      current = [found.words];
      comments.push({ place: found.place, words: current });
    } else {
      if (!isMore) current = text;
      current.push(current === text ? line : line.trim());
    }
  }
  return {
    text: text.join('\n').trim(),
    comments: comments.map(({ place, words }) => ({ ...place, text: words.join('\n').trim() })),
  };
}

function readPlace(
  line: string,
  bad: (why: string) => CommandError,
): { readonly place: Omit<Comment, 'text'>; readonly words: string } | null {
  const [matched, written = '', minus, digits, words = ''] = PLACE.exec(line) ?? [];
  if (matched === undefined) {
    if (/["./]/.test(HALF_PLACE.exec(line)?.[1] ?? '')) throw bad(`${quoteLines(line)} is not a comment: ${EXPECTED}`);
    return null;
  }
  const number = Number(digits);
  if (number < 1 || number > LINE_MAX) throw bad(`there is no line ${digits}: the lines of a file are counted from 1`);
  if (words.trim() === '') throw bad(`the comment on ${quoteLines(matched)} is empty: ${EXPECTED}`);
  return { place: { path: readPath(written, bad), line: number, side: minus === '-' ? 'before' : 'after' }, words };
}

function readPath(written: string, bad: (why: string) => CommandError): string {
  if (!written.startsWith('"')) return written;
  try {
    return String(JSON.parse(written));
  } catch {
    throw bad(
      `${quoteLines(written)} is not a path: write a quoted path as a JSON string, as "drover review" prints it`,
    );
  }
}

/** Characters of a bad line that a message repeats. */
const QUOTED_MAX = 60;

function quoteLines(text: string): string {
  return `"${text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text}"`;
}

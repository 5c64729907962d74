/** Makes a file for comments: each line of the diff with its place, ready to be turned into a comment. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ReviewView } from '@drover/api';
import { showHidden } from '@drover/core/hidden-characters';
import { diffLines, type DiffLine } from '@drover/protocol';
import { CommandError } from '../../../exit-codes.ts';
import type { Surroundings } from '../../../surroundings.ts';
import { NOTE } from '../reject/comments.ts';
import { writtenPath } from './paths.ts';

/** Characters of a line that are repeated: enough to recognize it. */
const SHOWN_MAX = 200;

/** Writes the file, never over another one. @throws {CommandError} */
export async function writeTemplate({ cwd }: Surroundings, file: string, review: ReviewView): Promise<void> {
  try {
    await writeFile(path.resolve(cwd, file), templateText(review, file), { flag: 'wx' });
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    const why = isThere ? 'it already exists, perhaps with comments: name another file' : String(error);
    throw new CommandError('usage', `Cannot write ${file}: ${why}`, { cause: error });
  }
}

/** Makes the content of the file: all lines are for the writer alone, until the writer adds comments. */
export function templateText({ worker, head, diff }: ReviewView, file: string): string {
  const lines = [
    `Comments on the work of ${worker.name} at ${head.slice(0, 12)}. Lines that begin with "${NOTE}" are not sent.`,
    'Write a comment on a line as "PATH:LINE: text". Begin its further lines with a blank.',
    'LINE counts in the file after the work; -LINE counts in the file before it, for a line that the work removes.',
    'Other text comes first in the message, wherever it is in this file.',
    `Then: drover reject ${worker.name} --file ${file}`,
  ];
  let last = '';
  for (const line of diffLines(diff)) {
    if (line.path !== last) lines.push('');
    last = line.path;
    lines.push(placeText(line));
  }
  return `${lines.map((line) => `${NOTE} ${line}`.trimEnd()).join('\n')}\n`;
}

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { added: '+', removed: '-', kept: ' ' };

function placeText({ path: name, kind, before, after, text }: DiffLine): string {
  const number = after ?? `-${before ?? ''}`;
  return `${writtenPath(name)}:${number}: ${SIGNS[kind]}${showHidden(text.replace(/\r$/, '')).slice(0, SHOWN_MAX)}`;
}

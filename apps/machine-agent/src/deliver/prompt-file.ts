/**
 * Writes a text that cannot be typed to a file within the worktree: agents read there without asking anybody, unlike in git's own directory,
 * which lies outside. The directory hides itself from git.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Files } from '@drover/host';
import { CommandError } from '../failure.ts';

/** Directory within a worktree, removed with it. */
const DIRECTORY = ['.drover', 'prompts'] as const;
/** Hexadecimal digits of a name. The same text has the same file, so that a repeated command types the same line. */
const NAME_DIGITS = 16;

/**
 * Writes a text, readable for this user alone; safe to repeat.
 *
 * @returns the absolute path. @throws CommandError `prompt-file-elsewhere` when the worktree leads to another place.
 */
export async function writePromptFile(files: Files, worktree: string, text: string): Promise<string> {
  const directory = join((await files.realpath(worktree)) ?? worktree, ...DIRECTORY);
  await files.mkdir(directory);
  // A link from an agent or a repository must not make Drover write elsewhere.
  if ((await files.realpath(directory)) !== directory) {
    throw new CommandError('prompt-file-elsewhere', `"${directory}" is a symbolic link: remove it`);
  }
  const name = createHash('sha256').update(text).digest('hex').slice(0, NAME_DIGITS);
  await replace(files, join(directory, '.gitignore'), '*\n');
  const path = join(directory, `${name}.md`);
  await replace(files, path, text);
  return path;
}

/** Line that is typed in place of the text. */
export function lineFor(path: string): string {
  return `Read the file ${path} and do what it says: it is the whole prompt, word for word.`;
}

/** Replaces a file, which a reader finds whole or not at all. */
async function replace(files: Files, path: string, text: string): Promise<void> {
  await files.writeFile(`${path}.new`, text, { inPlace: true });
  await files.rename(`${path}.new`, path);
}

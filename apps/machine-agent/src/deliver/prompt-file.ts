/**
 * Where does a text stand that cannot be typed as it is? In a file within the worktree: agents read there without asking
 * anybody, which they do not in git's own directory, that lies outside. The directory hides itself from git.
 */
import { createHash } from 'node:crypto';
import { mkdir, realpath, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../failure.ts';

/** The directory within a worktree. It goes when the worktree goes. */
const DIRECTORY = ['.drover', 'prompts'] as const;
/** Hexadecimal digits of a name. The same text has the same file, so that a repeated command types the same line. */
const NAME_DIGITS = 16;

/**
 * Writes a text, readable for this user alone; safe to repeat.
 *
 * @returns the absolute path. @throws CommandError `prompt-file-elsewhere` when the worktree leads to another place.
 */
export async function writePromptFile(worktree: string, text: string): Promise<string> {
  const directory = join(await realpath(worktree), ...DIRECTORY);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // What an agent or a repository put there as a link must not make Drover write elsewhere.
  if ((await realpath(directory)) !== directory) {
    throw new CommandError('prompt-file-elsewhere', `"${directory}" is a link to another place: remove it`);
  }
  const name = createHash('sha256').update(text).digest('hex').slice(0, NAME_DIGITS);
  await replace(join(directory, '.gitignore'), '*\n');
  const path = join(directory, `${name}.md`);
  await replace(path, text);
  return path;
}

/** What is typed in place of the text. */
export function lineFor(path: string): string {
  return `Read the file ${path} and do what it says: it is the whole prompt, word for word.`;
}

/** A reader finds the file whole or not at all. */
async function replace(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

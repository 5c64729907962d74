// Reads the name of the branch that is checked out here. Reads git's own files: starting git would double the program's start-up time.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The branch's name, `HEAD` when detached, empty outside a repository. */
export function currentBranch(directory: string): string {
  const marker = join(directory, '.git');
  if (!existsSync(marker)) return dirname(directory) === directory ? '' : currentBranch(dirname(directory));
  try {
    const head = readFileSync(join(gitDirectory(marker), 'HEAD'), 'utf8').trim();
    return head.startsWith('ref: refs/heads/') ? head.slice('ref: refs/heads/'.length) : 'HEAD';
  } catch {
    return '';
  }
}

/** A worktree's `.git` is a file that names the directory. */
function gitDirectory(marker: string): string {
  try {
    const named = /^gitdir: (.*)$/m.exec(readFileSync(marker, 'utf8'))?.[1];
    return named === undefined ? marker : resolve(dirname(marker), named);
  } catch {
    return marker;
  }
}

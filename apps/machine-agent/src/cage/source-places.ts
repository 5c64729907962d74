/** Lists the directories of this machine that make up a source, whose repository can lie apart from its files. */
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Files } from '@drover/host';

/**
 * Lists the paths of a source; for a worktree or a submodule also its repository, with the worktree there: their configuration and ignored
 * files hold data that a person has not given to agents. Paths may be missing; an address of another machine has none.
 */
export async function sourcePlaces(files: Files, source: string): Promise<readonly string[]> {
  const path = pathOf(source);
  if (!isAbsolute(path)) return [];
  const tree = besideGit(path);
  // Git tries the name with ".git" behind it, too.
  const named = [tree, `${path}.git`];
  const gitDir = await placeNamedIn(files, join(tree, '.git'), /^gitdir: (.+)$/mu);
  if (gitDir === null) return named;
  const common = await placeNamedIn(files, join(gitDir, 'commondir'), /^(.+)$/mu);
  return [...named, gitDir, ...(common === null ? [] : [besideGit(common)])];
}

/** Path of a source. Git reads an address of its own scheme as a URL: "%20" is a space. */
function pathOf(source: string): string {
  const [, path] = /^file:\/\/(?:localhost)?(\/.*)$/isu.exec(source) ?? [];
  if (path === undefined) return source;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Directory of the worktree that holds a git directory named `.git`. */
function besideGit(path: string): string {
  return basename(path) === '.git' ? dirname(path) : path;
}

/** Path that a small file of git names; null: there is no such file. */
async function placeNamedIn(files: Files, file: string, form: RegExp): Promise<string | null> {
  if ((await files.stat(file))?.kind !== 'file') return null;
  const text = Buffer.from((await files.readFile(file)) ?? []).toString('utf8');
  const named = form.exec(text)?.[1];
  return named === undefined ? null : resolve(dirname(file), named);
}

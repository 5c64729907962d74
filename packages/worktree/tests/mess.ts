/** Uncommitted work of every sort, and what must be the same after it came back. */
import { createHash } from 'node:crypto';
import { lstat, readFile, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Yard } from './support.ts';

/** Makes changes of every sort: staged, unstaged on top, deleted, untracked with odd names, ignored. */
export async function makeMess(yard: Yard): Promise<void> {
  await yard.write(yard.worktree, { 'a.txt': 'staged\n', 'staged-new.txt': 's' });
  await yard.sh(yard.worktree, 'add', 'a.txt', 'staged-new.txt');
  await yard.write(yard.worktree, {
    'a.txt': 'unstaged on top\n',
    'b.txt': undefined,
    '-rf': 'dash',
    'line\nbreak ünï.txt': 'odd',
    'deep/er/x.txt': 'x',
    'key.secret': 'ignored',
  });
}

/** Branch, index and files as git tells them. */
export async function stateOf(yard: Yard): Promise<string[]> {
  return [
    await yard.sh(yard.worktree, 'status', '--porcelain=v2', '-z', '--branch', '--untracked-files=all'),
    await yard.sh(yard.worktree, 'write-tree'),
  ];
}

/** Reads every file under a directory: its kind, whether it is executable, and the hash of its bytes. */
export async function bytesOf(root: string, at = ''): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of await readdir(join(root, at))) {
    const path = join(at, name);
    if (path === '.git') continue;
    const facts = await lstat(join(root, path));
    if (facts.isDirectory()) Object.assign(found, await bytesOf(root, path));
    else if (facts.isSymbolicLink()) found[path] = `link ${await readlink(join(root, path))}`;
    else found[path] = `${(facts.mode & 0o100) === 0 ? 'file' : 'program'} ${hash(await readFile(join(root, path)))}`;
  }
  return found;
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

/** Lists the repository's files, of every kind. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from './rooms.ts';

/** Lists what git holds or would hold, by path from the repository's root, without files that the next commit deletes. */
export function listFiles(): readonly string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  return execFileSync('git', args, { cwd: REPOSITORY, encoding: 'utf8' })
    .split('\0')
    .filter((file) => file !== '' && existsSync(path.join(REPOSITORY, file)));
}

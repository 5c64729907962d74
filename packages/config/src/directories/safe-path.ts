// Checks that no other user of this machine can exchange what lies at a path.
import type { Stats } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import path from 'node:path';
import { ConfigError } from '../config-error.ts';

/** The kernel follows no more links than these, either. */
const LINKS_MAX = 40;

/**
 * Refuses a path of which another user owns or can write to any part, from the root on: that user could move the rest away and put something else
 * in its place. Parts that are links, and those to which they lead, count. If nothing is there yet, the parts above count.
 *
 * @param uid Whose path it is; undefined on Windows, where nothing is checked.
 * @throws {ConfigError} `unsafe-directory` names the part.
 */
export async function refuseUnsafePath(target: string, { uid }: { uid: number | undefined }): Promise<void> {
  if (uid === undefined) return;
  const ahead = namesOf(path.resolve(target));
  let links = 0;
  let part = path.parse(path.resolve(target)).root;
  let stats: Stats | undefined = await lstat(part);
  while (stats !== undefined) {
    const problem = links > LINKS_MAX ? `follows more than ${LINKS_MAX} links` : problemOf(stats, uid);
    if (problem !== null) {
      const what = part === target ? 'it' : `its part ${part}`;
      const advice = `Choose another directory with XDG_RUNTIME_DIR, XDG_DATA_HOME or DROVER_DATA_DIR, or make ${part} accessible only to you`;
      throw new ConfigError('unsafe-directory', `Cannot use ${target}: ${what} ${problem}. ${advice}`);
    }
    if (stats.isSymbolicLink()) {
      links += 1;
      const to = await readlink(part);
      ahead.unshift(...namesOf(to));
      part = path.isAbsolute(to) ? path.parse(to).root : path.dirname(part);
    }
    const next = ahead.shift();
    if (next === undefined) return;
    part = path.join(part, next);
    stats = await lstat(part).catch(unlessMissing);
  }
}

function namesOf(target: string): string[] {
  return target.split(path.sep).filter((name) => name !== '');
}

/**
 * Root may do everything anyhow. In a directory with the sticky bit, such as `/tmp`, only owners move what is theirs. A group that has the
 * number of the owner is the owner's own, to which many systems give the right to write.
 */
function problemOf(stats: Stats, uid: number): string | null {
  const { uid: owner, gid, mode } = stats;
  if (owner !== 0 && owner !== uid) return `belongs to user ${owner}, expected user ${uid} or root`;
  const isOpen = (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== owner);
  if (!isOpen || !stats.isDirectory() || (mode & 0o1000) !== 0) return null;
  return `has the mode ${(mode & 0o7777).toString(8)}, with which other users can exchange what is in it`;
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw error;
}

// Finds or makes a directory that only this user can enter.
import type { Stats } from 'node:fs';
import { chmod, lstat, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '@drover/base';
import { ConfigError } from '../config-error.ts';
import { refuseUnsafePath } from './safe-path.ts';

/** `openMode`: others could enter it until now, with this mode; null: they could not. */
export type Made = { readonly openMode: string | null };

/**
 * Makes a directory with mode 0700, and its parents where they are missing, or takes the one that is there.
 *
 * @throws {ConfigError} `unsafe-directory` if it is a link or belongs to another user, or if another user could exchange it or a directory
 * above it; `directory-failed` if it cannot be made.
 */
export async function makePrivateDirectory(directory: string, { uid }: { uid: number | undefined }): Promise<Made> {
  const stats = await make(directory);
  if (uid === undefined) return { openMode: null };
  if (!stats.isDirectory() || stats.uid !== uid) {
    const found = stats.isDirectory() ? `belongs to user ${stats.uid}` : 'is not a directory';
    throw new ConfigError(
      'unsafe-directory',
      `Cannot use ${directory}: it ${found}, expected a directory of user ${uid}. Remove it, or set XDG_RUNTIME_DIR or DROVER_DATA_DIR to another place.`,
    );
  }
  await refuseUnsafePath(path.dirname(directory), { uid });
  if ((stats.mode & 0o077) === 0) return { openMode: null };
  await chmod(directory, 0o700);
  return { openMode: (stats.mode & 0o777).toString(8) };
}

async function make(directory: string): Promise<Stats> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return await lstat(directory);
  } catch (error) {
    const reason = messageOf(error);
    throw new ConfigError('directory-failed', `Cannot make the directory ${directory}: ${reason}`, { cause: error });
  }
}

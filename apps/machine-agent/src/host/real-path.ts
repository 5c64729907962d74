/** Where does a path really lie, also one whose last parts are not there yet? */
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** The path with all links resolved, as far as it exists. @throws when a part of it may not be read. */
export async function realPathOf(path: string): Promise<string> {
  const absolute = resolve(path);
  try {
    return await realpath(absolute);
  } catch (error) {
    const parent = dirname(absolute);
    // A link that leads to nothing would be taken for a directory that is not there yet: its target is not known, so it is refused.
    if (!isMissing(error) || parent === absolute || (await isLink(absolute))) throw error;
    return join(await realPathOf(parent), basename(absolute));
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}

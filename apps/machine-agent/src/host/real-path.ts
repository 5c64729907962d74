/** Where does a path really lie, also one whose last parts are not there yet? */
import { basename, dirname, join, resolve } from 'node:path';
import type { Files } from '@drover/host';

/** The path with all links resolved, as far as it exists. @throws when a part of it may not be read. */
export async function realPathOf(files: Files, path: string): Promise<string> {
  const absolute = resolve('/', path);
  const found = await files.realpath(absolute);
  if (found !== undefined) return found;
  // A link that leads to nothing would be taken for a directory that is not there yet: its target is not known, so it is refused.
  if ((await files.lstat(absolute))?.kind === 'link') throw new Error(`"${absolute}" is a link that leads to nothing`);
  const parent = dirname(absolute);
  return parent === absolute ? absolute : join(await realPathOf(files, parent), basename(absolute));
}

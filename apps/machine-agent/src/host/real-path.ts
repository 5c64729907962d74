/** Resolves a path even if its last parts are missing. */
import { basename, dirname, join, resolve } from 'node:path';
import type { Files } from '@drover/host';

/** Resolves all links of a path, as far as it exists. @throws when a part of it may not be read. */
export async function realPathOf(files: Files, path: string): Promise<string> {
  const absolute = resolve('/', path);
  const found = await files.realpath(absolute);
  if (found !== undefined) return found;
  // A dangling link would be taken for a missing directory: its target is unknown, so it is refused.
  if ((await files.lstat(absolute))?.kind === 'link')
    throw new Error(`"${absolute}" is a symbolic link without a target`);
  const parent = dirname(absolute);
  return parent === absolute ? absolute : join(await realPathOf(files, parent), basename(absolute));
}

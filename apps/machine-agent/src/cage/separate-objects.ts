/**
 * Does the clone share files with its source? `git clone --local` makes hard links; a program that may write to the clone's
 * loose objects could change the source through them.
 */
import { join } from 'node:path';
import type { Files } from '@drover/host';

/** Gives the clone loose objects of its own. Packs are not written to in a cage. Safe to repeat and to interrupt. */
export async function separateObjects(files: Files, objects: string): Promise<void> {
  const directories = (await namesIn(files, objects)).filter((name) => /^[0-9a-f]{2}$/u.test(name));
  for (const directory of directories) {
    for (const name of await namesIn(files, join(objects, directory))) {
      const path = join(objects, directory, name);
      const found = await files.stat(path); // git may have packed it
      if (found?.kind !== 'file' || found.links < 2) continue;
      const copy = join(objects, directory, `tmp_obj_drover_${name}`);
      await files.copy(path, copy);
      await files.rename(copy, path);
    }
  }
}

async function namesIn(files: Files, directory: string): Promise<readonly string[]> {
  return ((await files.readdir(directory)) ?? []).map(({ name }) => name);
}

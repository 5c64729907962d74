/**
 * Does the clone share files with its source? `git clone --local` makes hard links; a program that may write to the clone's
 * loose objects could change the source through them.
 */
import { copyFile, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Gives the clone loose objects of its own. Packs are not written to in a cage. Safe to repeat and to interrupt. */
export async function separateObjects(objects: string): Promise<void> {
  const directories = (await readdir(objects)).filter((name) => /^[0-9a-f]{2}$/u.test(name));
  for (const directory of directories) {
    for (const name of await readdir(join(objects, directory))) {
      const path = join(objects, directory, name);
      const stats = await stat(path).catch(() => undefined); // git may have packed it
      if (stats === undefined || !stats.isFile() || stats.nlink < 2) continue;
      const copy = join(objects, directory, `tmp_obj_drover_${process.pid}`);
      await copyFile(path, copy);
      await rename(copy, path);
    }
  }
}

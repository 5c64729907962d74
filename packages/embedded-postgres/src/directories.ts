// Makes directories and copies that the server's user can pass, with any umask of root.
import { chmod, mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Creates a directory and its missing parents with exactly this mode. Existing ones stay as they are. */
export async function makeDirectory(path: string, mode: number): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode });
  if (first === undefined) return;
  for (let made = path; ; made = dirname(made)) {
    await chmod(made, mode);
    if (made === first || made === dirname(made)) return;
  }
}

/** Makes a copied tree readable by all and writable by us, who go on to add to it: a read-only original copies as read-only. */
export async function openToAll(tree: string): Promise<void> {
  await chmod(tree, 0o755);
  for (const entry of await readdir(tree, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory() || entry.isFile()) await chmod(path, 0o755);
  }
}

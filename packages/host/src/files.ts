/** How are files of this machine read and written? */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';

import type { DirectoryEntry, FileStat, Host } from './host.ts';

type FileOperations = Omit<Host, 'run' | 'spawnStream'>;

/** The file half of the local host. */
export const localFiles: FileOperations = {
  readFile: (path) => fs.readFile(path).catch(absent),
  async writeFile(path, content, options = {}) {
    const draft = `${path}.${randomUUID()}.tmp`;
    try {
      await fs.writeFile(draft, content, { mode: options.mode ?? 0o600, flush: true });
      await fs.rename(draft, path);
    } catch (error) {
      await fs.rm(draft, { force: true });
      throw error;
    }
  },
  appendFile: (path, content) => fs.appendFile(path, content, { mode: 0o600 }),
  async stat(path) {
    const found = await fs.stat(path).catch(absent);
    return found && { kind: kindOf(found), size: found.size, modifiedAt: found.mtimeMs };
  },
  async readdir(path) {
    const entries = await fs.readdir(path, { withFileTypes: true }).catch(absent);
    return entries?.map((entry): DirectoryEntry => ({ name: entry.name, kind: kindOf(entry) }));
  },
  async mkdir(path, options = {}) {
    await fs.mkdir(path, { recursive: true, mode: options.mode ?? 0o700 });
  },
  removeFile: (path) => fs.rm(path, { force: true }),
};

function kindOf(found: { isFile(): boolean; isDirectory(): boolean }): FileStat['kind'] {
  if (found.isFile()) return 'file';
  return found.isDirectory() ? 'directory' : 'other';
}

function absent(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
  throw error;
}

/** Reads and writes files of this machine. */
import { createHash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';

import type { DirectoryEntry, Files, FileStat, PathStat } from '../port/files.ts';
import { readRange, tailLines } from './records.ts';

/** Permissions of a new file, unless the caller gives others. */
const FILE_MODE = 0o600;

/**
 * Bytes that are read at once of a file of any size, into one buffer: a stream takes a new one for each piece, and tens of MiB of them
 * wait to be collected.
 */
const PIECE_BYTES = 256 * 1024;

/** The file half of the local host. */
export const localFiles: Files = {
  async readFile(path, { bytesMax } = {}) {
    if (bytesMax === undefined) return fs.readFile(path).catch(absent);
    const file = await fs.open(path, 'r').catch(absent);
    if (file === undefined) return undefined;
    try {
      const { size } = await file.stat();
      const buffer = Buffer.alloc(Math.min(size, bytesMax));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  },
  readRange,
  tailLines,
  async sha256(path) {
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafeSlow(PIECE_BYTES);
    const file = await fs.open(path, 'r');
    try {
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
        if (bytesRead === 0) return hash.digest('hex');
        hash.update(buffer.subarray(0, bytesRead));
      }
    } finally {
      await file.close();
    }
  },
  async writeFile(path, content, { mode = FILE_MODE, inPlace = false } = {}) {
    if (inPlace) return fs.writeFile(path, content, { mode });
    const draft = `${path}.${randomUUID()}.tmp`;
    try {
      await fs.writeFile(draft, content, { mode, flush: true });
      await fs.rename(draft, path);
    } catch (error) {
      await fs.rm(draft, { force: true });
      throw error;
    }
  },
  appendFile: (path, content, { mode = FILE_MODE } = {}) => fs.appendFile(path, content, { mode }),
  truncate: (path, size) => fs.truncate(path, size),
  async stat(path) {
    const found = await fs.stat(path).catch(absent);
    return found && { ...factsOf(found), kind: kindOf(found) };
  },
  async lstat(path) {
    const found = await fs.lstat(path).catch(absent);
    return found && { ...factsOf(found), kind: found.isSymbolicLink() ? 'link' : kindOf(found) };
  },
  realpath: (path) => fs.realpath(path).catch(absent),
  async readdir(path) {
    const entries = await fs.readdir(path, { withFileTypes: true }).catch(absent);
    return entries?.map((entry): DirectoryEntry => ({ name: entry.name, kind: kindOf(entry) }));
  },
  async mkdir(path, { mode = 0o700 } = {}) {
    await fs.mkdir(path, { recursive: true, mode });
  },
  async copy(from, to, { flush = false } = {}) {
    await fs.cp(from, to, { preserveTimestamps: true, dereference: true });
    if (!flush) return;
    await using copy = await fs.open(to, 'r');
    await copy.sync();
  },
  rename: (from, to) => fs.rename(from, to),
  removeFile: (path) => fs.rm(path, { force: true }),
  removeTree: (path) => fs.rm(path, { recursive: true, force: true }),
};

function factsOf({ size, mtimeMs, nlink, ino }: Awaited<ReturnType<typeof fs.stat>>): Omit<PathStat, 'kind'> {
  return { size: Number(size), modifiedAt: Number(mtimeMs), links: Number(nlink), inode: Number(ino) };
}

function kindOf(found: { isFile(): boolean; isDirectory(): boolean }): FileStat['kind'] {
  if (found.isFile()) return 'file';
  return found.isDirectory() ? 'directory' : 'other';
}

function absent(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
  throw error;
}

/** Finds the newest conversation of a working directory among the files of a program that names them itself. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Files } from '@drover/host';

/** Directories between the program's own and its files: year, month and day for Codex. */
const DEPTH_MAX = 3;
/** Files whose beginning is read: those of other workers are among them. */
const FILES_MAX = 150;
/** Bytes at the beginning of a file in which it names its working directory. */
const HEAD_BYTES = 4_096;

/** @returns null if no file of the newest ones belongs to the working directory. */
export async function findRecordBelow(disk: Files, directory: string, cwd: string): Promise<string | null> {
  const hash = createHash('sha256').update(cwd).digest('hex');
  const marks = [`"cwd":${JSON.stringify(cwd)}`, `"projectHash":"${hash}"`];
  let read = 0;
  for await (const path of newestFiles(disk, directory, DEPTH_MAX)) {
    read += 1;
    if (read > FILES_MAX) return null;
    const head = await disk.readRange(path, { from: 0, bytesMax: HEAD_BYTES });
    const text = Buffer.from(head?.bytes ?? [])
      .toString('utf8')
      .replaceAll(/": +"/gu, '":"');
    if (marks.some((mark) => text.includes(mark))) return path;
  }
  return null;
}

/** Names begin with dates, so the last name of a directory is the newest. */
async function* newestFiles(disk: Files, directory: string, depth: number): AsyncGenerator<string> {
  const entries = (await disk.readdir(directory).catch(() => undefined)) ?? [];
  for (const { name, kind } of entries.toSorted((one, other) => (one.name < other.name ? 1 : -1))) {
    const path = join(directory, name);
    if (kind === 'directory' && depth > 0) yield* newestFiles(disk, path, depth - 1);
    else if (kind === 'file' && /\.jsonl?$/u.test(name)) yield path;
  }
}

/** Finds the newest conversation of a working directory among the files of a program that names them itself. */
import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { Files } from '@drover/host';
import { slugOf } from '../signals/transcript.ts';

/** Directories between the program's own and its files: year, month and day for Codex. */
const DEPTH_MAX = 3;
/** Files whose beginning is read: those of other workers are among them. */
const FILES_MAX = 150;
/** Bytes at the beginning of a file in which it names its working directory. */
const HEAD_BYTES = 4_096;

/** Name of a file that begins with a date or a word and a date: names in their order tell the newest. */
const DATED = /^(?:[a-z]+-)?\d{4}-\d\d-/u;

interface Wanted {
  readonly cwd: string;
  /** Name of the conversation with which Drover started the program; null: not known. */
  readonly conversation: string | null;
}

/** @returns null if no file of the newest ones belongs to the working directory. */
export async function findRecordBelow(disk: Files, directory: string, wanted: Wanted): Promise<string | null> {
  const hash = createHash('sha256').update(wanted.cwd).digest('hex');
  const marks = [`"cwd":${JSON.stringify(wanted.cwd)}`, `"projectHash":"${hash}"`];
  let [read, newest] = [0, { path: '', modifiedAt: -1 }];
  for await (const path of newestFiles(disk, directory, { ...wanted, depth: DEPTH_MAX })) {
    read += 1;
    if (read > FILES_MAX || (newest.path !== '' && dirname(path) !== dirname(newest.path))) break;
    const head = await disk.readRange(path, { from: 0, bytesMax: HEAD_BYTES });
    const text = Buffer.from(head?.bytes ?? [])
      .toString('utf8')
      .replaceAll(/": +"/gu, '":"');
    if (head === undefined || !marks.some((mark) => text.includes(mark))) continue;
    if (head.modifiedAt > newest.modifiedAt) newest = { path, modifiedAt: head.modifiedAt };
    if (DATED.test(basename(path))) break;
  }
  return newest.path === '' ? null : newest.path;
}

/**
 * Names that begin with dates have the newest one last. A directory that is named like the conversation (Copilot CLI) or the working directory
 * (Pi, Qwen Code) comes before all others, so that those of other projects cannot use up the files that are read.
 */
async function* newestFiles(
  disk: Files,
  directory: string,
  wanted: Wanted & { readonly depth: number },
): AsyncGenerator<string> {
  const slug = slugOf(wanted.cwd);
  const isFirst = (name: string): boolean => name === wanted.conversation || slugOf(name).includes(slug);
  const entries = (await disk.readdir(directory).catch(() => undefined)) ?? [];
  const ordered = entries.toSorted((one, other) => (one.name < other.name ? 1 : -1));
  for (const { name, kind } of [
    ...ordered.filter((entry) => isFirst(entry.name)),
    ...ordered.filter((entry) => !isFirst(entry.name)),
  ]) {
    const path = join(directory, name);
    if (kind === 'directory' && wanted.depth > 0)
      yield* newestFiles(disk, path, { ...wanted, depth: wanted.depth - 1 });
    else if (kind === 'file' && /\.jsonl?$/u.test(name)) yield path;
  }
}

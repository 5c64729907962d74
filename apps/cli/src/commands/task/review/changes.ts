/** The changed files of a review, read from git's objects on this machine. */
import type { ReviewObjects } from './objects.ts';

/** Milliseconds that git may take to read one object. */
const READ_MS = 30_000;

/** A changed file, whose sides are read when it is shown; null: it cannot be shown. */
export interface ShownFile {
  readonly path: string;
  readonly from: string;
  readonly read: () => Promise<readonly [before: Uint8Array | string, after: Uint8Array | string] | null>;
}

interface Side {
  readonly mode: string;
  readonly id: string;
}

/** Lists the files in git's order. @throws {CommandError} */
export async function readChanges(objects: ReviewObjects): Promise<readonly ShownFile[]> {
  const args = ['diff', '--raw', '-z', '--no-abbrev', '--find-renames', '--ignore-submodules=none', ...objects.range];
  const records = (await objects.git([...args, '--'], { timeoutMs: READ_MS })).stdout.split('\0');
  const changes: ShownFile[] = [];
  for (let index = 0; (records[index] ?? '').startsWith(':'); index += 2) {
    const [before = '', after = '', was = '', is = '', status = ''] = (records[index] ?? '').slice(1).split(' ');
    const from = records[index + 1] ?? '';
    if (/^[RC]/.test(status)) index += 1;
    const sides = [sideOf(before, was), sideOf(after, is)] as const;
    const read: ShownFile['read'] = async () => [
      await contentOf(objects, sides[0]),
      await contentOf(objects, sides[1]),
    ];
    changes.push({ from, path: records[index + 1] ?? '', read });
  }
  return changes;
}

function sideOf(mode: string, id: string): Side | null {
  return mode === '000000' ? null : { mode, id };
}

/** Reads a side: a link as its target, a submodule as its commit, a missing side as nothing. */
async function contentOf(objects: ReviewObjects, side: Side | null): Promise<Uint8Array | string> {
  if (side === null) return '';
  if (side.mode === '160000') return `Subproject commit ${side.id}\n`;
  return (await objects.git(['cat-file', 'blob', side.id], { timeoutMs: READ_MS })).stdoutBytes;
}

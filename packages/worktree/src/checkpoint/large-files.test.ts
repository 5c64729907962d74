/** Tests changes beyond the limits of what is written into git. */
import { expect, test } from 'vitest';
import type { FileChange } from '../git/status.ts';
import type { GitFiles } from '../git/on-host.ts';
import { findOversize, isBelow } from './large-files.ts';

/** Files of ten bytes each, but for those that are named. */
function filesOf(sizes: Readonly<Record<string, number>> = {}): GitFiles {
  const stat = (path: string): Promise<{ readonly kind: 'file'; readonly size: number }> =>
    Promise.resolve({ kind: 'file', size: sizes[path.slice('/w/'.length)] ?? 10 });
  return { stat } as GitFiles;
}

const untracked = (path: string): FileChange => ({ path, kind: 'untracked', letters: '??' });
const tracked = (path: string): FileChange => ({ path, kind: 'tracked', letters: '.M' });
const many = (directory: string, count: number): readonly FileChange[] =>
  Array.from({ length: count }, (_, index) => untracked(`${directory}/${index}`));

const LIMITS = { fileBytesMax: 100, totalBytesMax: 1_000, filesMax: 10 };

test('given few small files, then none is beyond the limits', async () => {
  const found = await findOversize(filesOf(), { at: '/w', changes: many('data', 10), limits: LIMITS });

  expect(found).toEqual({ files: [], directories: [] });
});

test('given one large file, and more than all may have, then the large one and the largest of the others are', async () => {
  const files = filesOf({ 'a.bin': 101, 'b.bin': 100, 'c.bin': 99 });
  const changes = ['a.bin', 'b.bin', 'c.bin', 'd.bin'].map(untracked);

  const found = await findOversize(files, { at: '/w', changes, limits: { ...LIMITS, totalBytesMax: 150 } });

  expect(found).toEqual({ files: ['a.bin', 'b.bin'], directories: [] });
});

test('given more untracked files than may be, then the fullest directories are, until the rest fits', async () => {
  const changes = [...many('data/x', 9), ...many('data/y', 8), ...many('data/z', 3), untracked('note.txt')];

  const found = await findOversize(filesOf(), { at: '/w', changes, limits: LIMITS });

  expect(found.directories).toEqual(['data/x', 'data/y']);
  expect(isBelow('data/x/deep/1', new Set(found.directories))).toBe(true);
  expect(isBelow('data/xy/1', new Set(found.directories))).toBe(false);
});

test('given a directory with a tracked file that changed, then it is saved however full it is', async () => {
  const changes = [...many('src', 30), tracked('src/deep/main.ts')];

  const found = await findOversize(filesOf(), { at: '/w', changes, limits: LIMITS });

  expect(found.directories).toEqual([]);
});

// Checks that every folder holds few enough files to take in.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listFiles } from '../source/files.ts';
import { readText, REPOSITORY } from '../source/rooms.ts';
import { FILES_MAX, folderProblems } from './folders.ts';

function readReadme(directory: string): string | null {
  const file = `${directory}/README.md`;
  return existsSync(path.join(REPOSITORY, file)) ? readText(file) : null;
}

test('given every folder, when its files are counted, then they are few, or its README says why not', () => {
  expect(folderProblems(listFiles(), readReadme)).toEqual([]);
});

const MANY = Array.from({ length: FILES_MAX + 1 }, (_, at) => `packages/a/src/file-${'x'.repeat(at + 1)}.ts`);

test('given a folder with one file too many, when it is checked, then that is a problem', () => {
  expect(folderProblems(MANY, () => null)).toHaveLength(1);
  expect(folderProblems(MANY, () => 'More than twenty files: \n')).toHaveLength(1);
  expect(folderProblems(MANY.slice(1), () => null)).toEqual([]);
});

function reasonOfOne(directory: string): string | null {
  return directory === 'packages/a/src' ? 'Rows.\n\nMore than twenty files: one for each row of the table.\n' : null;
}

test('given such a folder, when its own README gives the reason, then that is fine', () => {
  expect(folderProblems(MANY, reasonOfOne)).toEqual([]);
});

test('given recorded data, when there is much of it, then that is fine', () => {
  expect(
    folderProblems(
      MANY.map((file) => file.replace('/src/', '/fixtures/screens/')),
      () => null,
    ),
  ).toEqual([]);
});

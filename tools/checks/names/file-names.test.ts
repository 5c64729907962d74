// Checks that every file's name says what the file is.
import { expect, test } from 'vitest';
import { listFiles } from '../source/files.ts';
import { fileNameProblems } from './file-names.ts';

test('given every file, when its name is read, then it says what the file is, not when it was made', () => {
  expect(fileNameProblems(listFiles())).toEqual([]);
});

test.each([
  'main-job.test.ts',
  'recovery-schema.ts',
  'found.ts',
  'rare.test.ts',
  'more-rules.ts',
  'definitions-queue.ts',
  'rules-2.ts',
])('given a file named %s, when its name is read, then that is a problem', (name) => {
  expect(fileNameProblems([`packages/a/src/${name}`])).toHaveLength(1);
});

test.each(['foundation.ts', 'moreover.ts', 'definition.ts', 'utf-8.ts', 'sha-256.ts'])(
  'given a file named %s, when its name is read, then that is fine',
  (name) => {
    expect(fileNameProblems([`packages/a/src/${name}`])).toEqual([]);
  },
);

// Does the name of every file say what the file is?
import { expect, test } from 'vitest';
import { listFiles } from '../source/files.ts';
import { fileNameProblems } from './file-names.ts';

/** Files that still have a name of the time when they were made: remove a line with its file. */
const NOT_YET: readonly string[] = [
  'packages/core/src/decide/found.test.ts',
  'packages/core/src/decide/main-job.test.ts',
  'packages/core/src/decide/rare.test.ts',
  'packages/core/src/tool-failures/more-rules.ts',
];

test('given every file, when its name is read, then it says what the file is, not when it was made', () => {
  const problems = fileNameProblems(listFiles());

  expect(problems.filter((problem) => !NOT_YET.includes(problem.split(':')[0] ?? ''))).toEqual([]);
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

// The tables of long files are about files that are there, and each of them says how its files spend their time.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { BUSY_FILES, inTurns, WAITING_FILES } from './longest-first.ts';

test('given the tables of long test files, when they are read, then each file is there, and in one of them', () => {
  const files = [...Object.keys(BUSY_FILES), ...Object.keys(WAITING_FILES)];

  const missing = files.filter((file) => !existsSync(path.join(import.meta.dirname, '../..', file)));

  expect(missing).toEqual([]);
  expect(new Set(files).size).toBe(files.length);
});

test.each([
  [['a', 'b', 'c'], ['x'], ['a', 'x', 'b', 'c']],
  [['a'], ['x', 'y', 'z'], ['a', 'x', 'y', 'z']],
  [[], ['x'], ['x']],
])('given %j and %j, when they take turns, then it is %j', (one, other, both) => {
  expect(inTurns(one, other)).toEqual(both);
});

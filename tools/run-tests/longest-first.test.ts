// The table of long files is about files that are there.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LONG_FILES } from './longest-first.ts';

test('given the table of long test files, when it is read, then each file is there', () => {
  const missing = Object.keys(LONG_FILES).filter((file) => !existsSync(path.join(import.meta.dirname, '../..', file)));

  expect(missing).toEqual([]);
});

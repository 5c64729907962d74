// Each planted fault can still be planted, and the tests that shall find it are there.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readText, REPOSITORY } from '../checks/source/rooms.ts';
import { FAULTS_PAGE, faultsPage, readFaults, staleEdits } from './faults.ts';

const faults = readFaults();

test('given the planted faults, when the product is read, then each of their texts stands in its file exactly once', () => {
  expect(faults.flatMap(staleEdits)).toEqual([]);
});

test('given the planted faults, when their tests are looked for, then all are there, and no fault is listed twice', () => {
  const missing = faults.flatMap(({ tests }) => tests.filter((file) => !existsSync(path.join(REPOSITORY, file))));

  expect(missing).toEqual([]);
  expect(faults.filter(({ edits, tests }) => edits.length === 0 || tests.length === 0)).toEqual([]);
  expect(new Set(faults.map(({ of, fault }) => `${of} ${fault}`)).size).toBe(faults.length);
});

test('given the planted faults, when their page is read, then it is what `npm run docs` writes', () => {
  expect(readText(FAULTS_PAGE)).toBe(faultsPage());
});

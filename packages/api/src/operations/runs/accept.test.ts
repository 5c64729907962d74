import { expect, test } from 'vitest';
import { runOperations } from './runs.ts';

test.each([
  ['the beginning of a commit', 'a1b2c3d', false],
  ['a whole commit', 'a'.repeat(40), true],
])('given %s, when a program says yes to a run, then only a whole name is taken', (_, head, isTaken) => {
  const body = runOperations['runs.accept'].v1?.['POST /v1/runs/{id}/accept']?.body;
  expect(body?.safeParse({ head }).success).toBe(isTaken);
});

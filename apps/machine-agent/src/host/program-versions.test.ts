import { expect, test } from 'vitest';
import { isAtLeast, parseVersion } from './program-versions.ts';

test('given what programs print of themselves, when it is read, then the version is found', () => {
  expect(parseVersion('2.1.330 (Claude Code)')).toEqual([2, 1, 330]);
  expect(parseVersion('codex-cli 0.169.0')).toEqual([0, 169, 0]);
  expect(parseVersion('nothing of the kind')).toBeNull();
});

test('given two versions, when they are compared, then numbers count and not letters', () => {
  expect(isAtLeast([2, 1, 330], [2, 1, 330])).toBe(true);
  expect(isAtLeast([2, 1, 330], [2, 1, 97])).toBe(true);
  expect(isAtLeast([2, 1, 97], [2, 1, 330])).toBe(false);
  expect(isAtLeast([3, 0, 0], [2, 1, 330])).toBe(true);
  expect(isAtLeast([1, 9, 999], [2, 0, 0])).toBe(false);
});

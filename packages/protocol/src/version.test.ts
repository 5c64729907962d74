import { expect, test } from 'vitest';
import { isTooOld, keepsNamesakesApart, lackedBy, PROTOCOL_VERSION, speaks } from './version.ts';

test('given agents of this version and of those before, when they are asked about, then each is served, and told what it may lack', () => {
  const versions = ['2.4', '2.3', '2.2', '2.1', '2.0'];
  const lacked = versions.map((version) => lackedBy(version).length);

  expect(PROTOCOL_VERSION).toBe('2.4');
  expect(lacked).toEqual([0, 1, 2, 3, 4]);
  expect(versions.map(speaks)).toEqual([true, true, true, true, true]);
  expect(versions.map(keepsNamesakesApart)).toEqual([true, true, false, false, false]);
  expect(lackedBy('2.5')).toEqual([]);
});

test.each([
  ['1.9', false, true],
  ['3.0', false, false],
  ['2.5', true, false],
  ['nonsense', false, true],
  ['2.Infinity', false, true],
  ['2.1e9', false, true],
  ['2.0x3', false, true],
  ['2.3.1', false, true],
  ['2.3\0', false, true],
  ['', false, true],
])(
  'given an agent that says %s, when it is let in or not, then it is known which of the two is too old',
  (version, isServed, isOld) => {
    expect(speaks(version)).toBe(isServed);
    if (!isServed) expect(isTooOld(version)).toBe(isOld);
  },
);

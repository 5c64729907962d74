import { expect, test } from 'vitest';
import { isTooOld, lackedBy, PROTOCOL_VERSION, speaks } from './version.ts';

test('given agents of this version and of the two before, when they are asked about, then each is served, and told what it may lack', () => {
  const lacked = ['2.2', '2.1', '2.0'].map((version) => lackedBy(version).length);

  expect(PROTOCOL_VERSION).toBe('2.2');
  expect(lacked).toEqual([0, 1, 2]);
  expect(['2.2', '2.1', '2.0'].map(speaks)).toEqual([true, true, true]);
  expect(lackedBy('2.3')).toEqual([]);
});

test.each([
  ['1.9', false, true],
  ['3.0', false, false],
  ['2.3', true, false],
  ['nonsense', false, true],
])(
  'given an agent that says %s, when it is let in or not, then it is known which of the two is too old',
  (version, isServed, isOld) => {
    expect(speaks(version)).toBe(isServed);
    if (!isServed) expect(isTooOld(version)).toBe(isOld);
  },
);

import { expect, test } from 'vitest';
import { isTooOld, lackedBy, PROTOCOL_VERSION, speaks } from './version.ts';

test('given agents of this version and of lower minors, when they are asked about, then each is told what it may lack', () => {
  const brought = [
    { minor: 1, what: 'one' },
    { minor: 2, what: 'two' },
  ];

  expect(['3.2', '3.1', '3.0'].map((version) => lackedBy(version, brought))).toEqual([[], ['two'], ['one', 'two']]);
  expect(lackedBy('3.3', brought)).toEqual([]);
  expect(lackedBy(PROTOCOL_VERSION)).toEqual([]);
  expect(speaks(PROTOCOL_VERSION)).toBe(true);
});

test.each([
  ['2.9', false, true],
  ['4.0', false, false],
  ['3.5', true, false],
  ['nonsense', false, true],
  ['3.Infinity', false, true],
  ['3.1e9', false, true],
  ['3.0x3', false, true],
  ['3.3.1', false, true],
  ['3.3\0', false, true],
  ['', false, true],
])(
  'given an agent that says %s, when it is let in or not, then it is known which of the two is too old',
  (version, isServed, isOld) => {
    expect(speaks(version)).toBe(isServed);
    if (!isServed) expect(isTooOld(version)).toBe(isOld);
  },
);

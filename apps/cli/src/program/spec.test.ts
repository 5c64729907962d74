import { expect, test } from 'vitest';
import { count, enabled, flag, optional, required, rest, span, text } from './spec.ts';

test('given values as commander leaves them, when they are read, then other types than expected count as not given', () => {
  expect(text('name', '').read('a', 'name')).toBe('a');
  expect(text('name', '').read(true, 'name')).toBeUndefined();
  expect(flag('').read(true, 'all')).toBe(true);
  expect(flag('').read('yes', 'all')).toBe(false);
  expect(enabled('').read(undefined, 'wait')).toBe(true);
  expect(enabled('').read(false, 'wait')).toBe(false);
});

test('given arguments, when they are read, then each has the form that its kind promises', () => {
  expect(required('').read('a')).toBe('a');
  expect(optional('').read(undefined)).toBeUndefined();
  expect(rest('').read(['a', 'b'])).toEqual(['a', 'b']);
  expect(rest('').read(undefined)).toEqual([]);
});

test.each(['0', '65536', '1.5', 'x', '', ' '])(
  'given the number %j, when it must be 1 to 65535, then it is refused',
  (port) => {
    expect(() => count('port', '', { min: 1, max: 65_535 }).read(port, 'port')).toThrow(
      /--port takes a whole number from 1 to 65535/,
    );
  },
);

test('given a number within the bounds, when it is read, then it comes as a number', () => {
  const port = count('port', '', { min: 1, max: 65_535 });

  expect(port.read('80', 'port')).toBe(80);
  expect(port.read(undefined, 'port')).toBeUndefined();
});

test('given a span, when it is read, then it comes in milliseconds, and anything else is refused', () => {
  expect(span('').read('90s', 'since')).toBe(90_000);
  expect(span('').read('7d', 'since')).toBe(604_800_000);
  expect(() => span('').read('x', 'since')).toThrow(/--since takes a span such as 90s, 30m, 2h or 7d, not "x"/);
});

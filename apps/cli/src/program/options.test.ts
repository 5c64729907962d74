import { expect, test } from 'vitest';
import { count, flag, optional, text } from './options.ts';

test('given options as commander leaves them, when they are read, then other types than expected count as not given', () => {
  expect(text({ name: 'a' }, 'name')).toBe('a');
  expect(text({ name: true }, 'name')).toBeUndefined();
  expect(flag({ all: true }, 'all')).toBe(true);
  expect(flag({ all: 'yes' }, 'all')).toBe(false);
});

test.each(['0', '65536', '1.5', 'x', '', ' '])(
  'given the number %j, when it must be 1 to 65535, then it is refused',
  (port) => {
    expect(() => count({ port }, 'port', { min: 1, max: 65_535 })).toThrow(
      /--port takes a whole number from 1 to 65535/,
    );
  },
);

test('given a number within the bounds, when it is read, then it comes as a number', () => {
  expect(count({ port: '80' }, 'port', { min: 1, max: 65_535 })).toBe(80);
  expect(count({}, 'port', { min: 1, max: 65_535 })).toBeUndefined();
});

test('given no value, when an object is made of it, then it has no key', () => {
  expect(optional('a', undefined)).toEqual({});
  expect(optional('a', 1)).toEqual({ a: 1 });
});

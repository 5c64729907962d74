import { expect, test } from 'vitest';
import { commandOf } from './keys.ts';

const key = (name: string, more: object = {}) => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isInField: false,
  ...more,
});
const PLAIN = { isAfterG: false, singleKeys: true };

test.each([
  ['j', { kind: 'move', by: 1 }],
  ['k', { kind: 'move', by: -1 }],
  ['3', { kind: 'option', number: 3 }],
  ['/', { kind: 'filter' }],
  ['?', { kind: 'help' }],
  ['m', { kind: 'press', key: 'm' }],
  [']', { kind: 'file', by: 1 }],
  ['p', { kind: 'previous' }],
  ['A', null],
  ['0', null],
  ['x', null],
])('given the key %s outside of a field, then it means %j', (name, command) => {
  expect(commandOf(key(name), PLAIN)).toEqual(command);
});

test('given g, then the next key chooses a page, and m alone none', () => {
  expect(commandOf(key('g'), PLAIN)).toEqual({ kind: 'prefix' });
  expect(commandOf(key('m'), { ...PLAIN, isAfterG: true })).toEqual({ kind: 'go', to: '/machines' });
  expect(commandOf(key('m'), PLAIN)).not.toHaveProperty('to');
});

test.each([{ isInField: true }, { altKey: true }, { ctrlKey: true }])(
  'given a person who types or a key of the browser (%j), then a single key does nothing',
  (more) => {
    expect(commandOf(key('j', more), PLAIN)).toBeNull();
  },
);

test('given single keys that are turned off, then Ctrl K still opens the palette, in a field too', () => {
  const off = { isAfterG: false, singleKeys: false };

  expect(commandOf(key('j'), off)).toBeNull();
  expect(commandOf(key('k', { ctrlKey: true, isInField: true }), off)).toEqual({ kind: 'palette' });
});

test('given Shift and A, then the work is accepted; given a locked shift key, then nothing is', () => {
  expect(commandOf(key('A', { shiftKey: true }), PLAIN)).toEqual({ kind: 'press', key: 'A' });
  expect(commandOf(key('A'), PLAIN)).toBeNull();
});

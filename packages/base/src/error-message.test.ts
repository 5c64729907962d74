import { expect, test } from 'vitest';
import { messageOf } from './error-message.ts';

test.each<[unknown, string]>([
  [new Error('the disk is full'), 'the disk is full'],
  ['a text', 'a text'],
  [undefined, 'undefined'],
  [new AggregateError([new Error('::1 refused'), '127.0.0.1 refused']), '::1 refused; 127.0.0.1 refused'],
  [new AggregateError([], 'no address'), 'no address'],
])('given that %j was thrown, when its message is asked for, then it says what a person can use', (thrown, message) => {
  expect(messageOf(thrown)).toBe(message);
});

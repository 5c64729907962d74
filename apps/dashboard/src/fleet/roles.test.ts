import { expect, test } from 'vitest';
import { lackOf } from './roles.ts';

test('given a viewer, when an order needs an operator, then the reason names both roles; an admin lacks nothing', () => {
  expect(lackOf('viewer', 'operator')).toBe('This needs the role operator; your token has the role viewer');
  expect(lackOf('operator', 'operator')).toBeNull();
  expect(lackOf('admin', 'responder')).toBeNull();
});

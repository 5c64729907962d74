/** The commit that an accept names, by what its caller was shown. */
import { expect, test } from 'vitest';
import { pinOf } from './reviews.ts';

const [HEAD, TREE, BASE] = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40)];

test('given work that a person was shown, when they accept it, then the accept names what it was compared with', () => {
  const seen = { reviewer: 'ada', workerId: 'adam', head: HEAD, tree: TREE, base: BASE, reviewedAt: 1 };

  expect(pinOf('adam', { seen, head: undefined })).toEqual({
    kind: 'pin',
    pin: { head: HEAD, tree: TREE, against: BASE },
  });
});

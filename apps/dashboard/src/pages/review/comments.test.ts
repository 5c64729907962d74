import { expect, test } from 'vitest';
import { readComments, withComment } from './comments.ts';

const first = { path: 'a.ts', line: 3, side: 'after', text: 'why?' } as const;

test('given a comment, when its place gets other words or none, then it is replaced or gone', () => {
  const other = { ...first, side: 'before', text: 'was better' } as const;
  const comments = withComment(withComment([], first), other);

  expect(withComment(comments, { ...first, text: 'how?' })).toEqual([other, { ...first, text: 'how?' }]);
  expect(withComment(comments, { ...first, text: ' \n' })).toEqual([other]);
});

test('given kept comments, when they are read again, then they are the same; other texts count as none', () => {
  expect(readComments(JSON.stringify([first, { path: 1 }, null]))).toEqual([first]);
  expect(readComments('{"a":1}')).toEqual([]);
  expect(readComments('')).toEqual([]);
});

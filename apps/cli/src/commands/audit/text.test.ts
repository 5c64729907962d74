import { expect, test } from 'vitest';
import { verdictText } from './text.ts';

test('given an audit that is whole, when it is verified, then people read what that proves and what it does not', () => {
  const page = { terminal: { colours: false } } as Parameters<typeof verdictText>[1];

  const text = verdictText({ rows: 2, chains: 1, wrong: null, heads: [{ chain: 'fleet', seq: 2, hash: 'h' }] }, page);

  expect(text.split('\n')).toEqual([
    'whole: 2 rows in 1 chains.',
    expect.stringContaining('does not prove that every change has a row'),
    'fleet 2 h',
  ]);
});

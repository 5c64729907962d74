import { expect, test } from 'vitest';
import { surplusCheckpoints } from './retention.ts';

test('given twelve periodic checkpoints and two older ones for people, when room is made, then the two oldest periodic ones go', () => {
  const periodic = Array.from({ length: 12 }, (_, count) => ({ id: `p${count}`, type: 'periodic', at: 100 + count }));
  const people = [
    { id: 'm', type: 'manual', at: 1 },
    { id: 'h', type: 'hiccup', at: 2 },
  ];

  const dropped = surplusCheckpoints([...people, ...periodic], 10);

  expect(dropped).toEqual(['p1', 'p0']);
});

test('given more checkpoints by hand than are kept, when room is made, then the oldest of them goes', () => {
  const given = ['a', 'b', 'c'].map((id, at) => ({ id, type: 'manual', at }));

  expect(surplusCheckpoints(given, 2)).toEqual(['a']);
});

import { expect, test } from 'vitest';
import { networkOf, plainAddress } from './addresses.ts';
import { Buckets } from './rates.ts';

function buckets(max = 3): { take: (key: string) => number; all: Buckets; pass: (ms: number) => void } {
  let now = 0;
  const all = new Buckets({ burst: 2, perSecond: 10 }, { max, elapsed: () => now });
  return { take: (key) => all.take(key), all, pass: (ms) => void (now += ms) };
}

test('given a bucket that is empty, when time passes, then it fills at its rate and never above its size', () => {
  const { take, pass } = buckets();

  expect([take('a'), take('a'), take('a')]).toEqual([0, 0, 100]);
  pass(50);
  expect(take('a')).toBe(50);
  pass(50);
  expect([take('a'), take('a')]).toEqual([0, 100]);
  pass(60_000);
  expect([take('a'), take('a'), take('a')]).toEqual([0, 0, 100]);
});

test('given one that is given back, when another is taken, then it is there', () => {
  const { take, all } = buckets();
  take('a');
  take('a');

  all.giveBack('a');
  all.giveBack('unknown');

  expect([take('a'), take('a')]).toEqual([0, 100]);
});

test('given more keys than are remembered, when a new one comes, then the one that was silent for longest is forgotten', () => {
  const { take, all } = buckets();
  for (const key of ['a', 'b', 'c']) for (let count = 0; count < 3; count += 1) take(key);
  take('a');

  take('d');

  expect(all.size).toBe(3);
  expect([take('a') > 0, take('c') > 0]).toEqual([true, true]);
  expect(take('b')).toBe(0);
});

test.each([
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['10.0.0.1', '10.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('given the address %s, when it is counted, then it counts for %s', (address, expected) => {
  expect(networkOf(plainAddress(address))).toBe(expected);
});

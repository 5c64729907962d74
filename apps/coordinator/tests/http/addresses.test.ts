/** Believes trusted proxies about their callers, and nobody else. */
import { expect, test } from 'vitest';
import { addressesOf } from '../../src/door/addresses.ts';

const LIST = ['127.0.0.1', '10.0.0.0/8', '2001:db8::/32', '::1'];

test.each(['127.0.0.1', '10.0.0.1', '10.255.255.255', '2001:db8:1::2', '::1'])(
  'given addresses and networks, when %s is looked up, then it is one of them',
  (address) => {
    expect(addressesOf(LIST).has(address)).toBe(true);
  },
);

test.each(['127.0.0.2', '11.0.0.1', '2001:db9::1', '', 'unknown', '10.0.0.1, 10.0.0.2'])(
  'given addresses and networks, when "%s" is looked up, then it is none of them',
  (address) => {
    expect(addressesOf(LIST).has(address)).toBe(false);
  },
);

test('given no addresses, when any is looked up, then it is none of them', () => {
  expect(addressesOf([]).has('127.0.0.1')).toBe(false);
});

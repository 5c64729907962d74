/** Refuses addresses that nothing may be sent to. */
import { expect, test } from 'vitest';
import { isPublicAddress, urlProblem } from './addresses.ts';

test.each([
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '3fff::1',
  'localhost',
  '',
])('given the address "%s", when it is judged, then it is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['8.8.8.8', '1.1.1.1', '172.15.0.1', '172.32.0.1', '100.63.0.1', '2606:4700::1111', '2a00:1450::1'])(
  'given the address "%s", when it is judged, then it is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  ['http://example.com/', /https/u],
  ['ftp://example.com/', /https/u],
  ['https://ada:secret@example.com/', /password/u],
  ['example.com', /not an address/u],
  ['http://other.example/', /https/u],
])('given the address "%s", when a webhook wants it, then the reason says what is wrong', (url, says) => {
  expect(urlProblem(url, ['hooks.example'])).toMatch(says);
});

test('given a host that the owner allows, when a webhook wants it without TLS, then it may', () => {
  expect(urlProblem('http://hooks.example:8080/a', ['hooks.example'])).toBeNull();
  expect(urlProblem('http://[::1]:8080/a', ['::1'])).toBeNull();
  expect(urlProblem('https://example.com/', [])).toBeNull();
});

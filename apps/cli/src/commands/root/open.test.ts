import { expect, test } from 'vitest';
import { browserCommand, signInAddress } from './open.ts';

test('given a ticket, when its address is made, then the ticket stands in the fragment, which no server sees', () => {
  const address = new URL(signInAddress('http://127.0.0.1:4680', 'abc_-9'));

  expect([address.pathname, address.search, address.hash]).toEqual(['/sign-in', '', '#ticket=abc_-9']);
});

test.each([
  ['darwin', {}, ['open', 'http://a']],
  ['linux', { DISPLAY: ':0' }, ['xdg-open', 'http://a']],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open', 'http://a']],
  ['linux', {}, null],
  ['win32', { DISPLAY: ':0' }, null],
])('given %s with %j, when an address is opened, then the program is %j', (platform, variables, command) => {
  expect(browserCommand('http://a', platform, variables)).toEqual(command);
});

import { expect, test } from 'vitest';
import { isAddress, sourceProblem } from './source-address.ts';

test.each([
  ['git@example.com:team/shop.git', true],
  ['ssh://git@example.com/shop', true],
  ['file:///srv/shop.git', true],
  ['/srv/shop', false],
  ['/srv/a:b', false],
  ['./a:b', false],
])('given the source %s, when it is looked at, then it is known whether it is an address', (source, is) => {
  expect(isAddress(source)).toBe(is);
});

test.each([
  ['--upload-pack=x', 'dash'],
  ['ext::sh -c x', 'helper'],
  ['https://ada:hunter22@example.org/shop.git', 'password'],
])('given the source %s, when it is checked, then the problem is named and nothing of it is shown', (source, word) => {
  expect(sourceProblem(source)).toContain(word);
  expect(sourceProblem(source)).not.toContain('hunter22');
});

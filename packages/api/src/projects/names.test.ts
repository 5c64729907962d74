/** Tests names that people give: an invalid name is refused, and the refusal quotes it. */
import { expect, test } from 'vitest';
import { addProjectInput } from './projects.ts';
import { labels } from '../texts.ts';

const SHOP = { source: 'git@example.com:team/shop.git', branch: 'main', home: null, checks: 'none' };

test.each([
  ['--help', 'must not start with a dash'],
  ['-x', 'must not start with a dash'],
  ['..', 'must not be "." or ".."'],
  ['.', 'must not be "." or ".."'],
  ['n'.repeat(101), 'at most 100 characters'],
  ['a/b', 'one line without "/"'],
  ['a\nb', 'one line without "/"'],
  [' ', 'one line without "/"'],
])('given a new project called %j, when it is added, then it is refused, and why', (name, why) => {
  const { error } = addProjectInput.safeParse({ ...SHOP, name });

  expect(error?.issues.map(({ message }) => message).join()).toContain(why);
});

test.each(['shop', 'a b', 'Größe', '.config', 'n'.repeat(100)])(
  'given a new project called %j, when it is added, then it may be called so',
  (name) => {
    expect(addProjectInput.safeParse({ ...SHOP, name }).success).toBe(true);
  },
);

test.each(['a=b', 'a\nb', '-x', '', 'x'.repeat(64)])(
  'given the label %j among good ones, when it is read, then the refusal shows which',
  (label) => {
    const { error } = labels.safeParse(['gpu', label]);

    expect(error?.issues.map(({ message }) => message)).toEqual([
      `${JSON.stringify(label)} is not a label: a label is up to 63 lower-case letters, digits, dots, hyphens and underscores, such as gpu`,
    ]);
  },
);

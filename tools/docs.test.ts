// The generated and the hand-kept pages say what the repository holds.
import { spawnSync } from 'node:child_process';
import { globSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readText, REPOSITORY } from './checks/source/rooms.ts';
import { manualPage } from './docs/commands.ts';
import { brokenLinks } from './docs/links.ts';
import { PAGES, REFERENCE_PAGE } from './docs/pages.ts';
import { commentOf, policyWords, valueInWords } from './docs/policy-numbers.ts';

test.each(Object.entries(PAGES))(
  'given %s, when it is read, then it is what `npm run docs` writes',
  async (page, write) => {
    expect(readText(page)).toBe(await write());
  },
);

test('given the commands of drover, when their manual page is written, then groff reads it without a warning', async (task) => {
  const groff = spawnSync('groff', ['-man', '-ww', '-Tutf8'], { input: await manualPage(), encoding: 'utf8' });
  task.skip(groff.error !== undefined, 'groff is not installed');
  expect(groff.stderr).toBe('');
  expect(groff.stdout).toContain('drover start');
});

test('given the numbers of the policy, when the reference of recovery is read, then it tells each of them', () => {
  const page = readText(REFERENCE_PAGE).replaceAll(/ +/gu, ' ');

  expect(policyWords().filter((words) => !page.includes(words))).toEqual([]);
});

test('given a number of the policy, when its meaning is sought, then the comment right above it counts, and no other', () => {
  const text = `export interface Policy {
  /** How storms are met. */
  readonly storm: {
    /** Quiet after
     * a storm. */
    readonly quietMs: number;
    readonly windowMs: number;
  };
}`;

  expect(commentOf('storm.quietMs', text)).toBe('Quiet after a storm.');
  expect(commentOf('storm.windowMs', text)).toBeNull();
});

test.each([['docs/recovery.md'], ['docs/proof/seeds.md']])(
  'given the page %s, when it names a number of the policy, then the value before it is right',
  (page) => {
    const named = [...readText(page).matchAll(/(\d+(?: (?:ms|s|min|h)\b)?)[^\d()|]*\(`([\w.]+)`\)/gu)];

    expect(named.length).toBeGreaterThan(5);
    for (const [, value, name = ''] of named) {
      expect(`${name} is ${value}`).toBe(`${name} is ${valueInWords(name)}`);
    }
  },
);

test('given the reference of recovery, when it names a number of the policy, then the policy has it', () => {
  const named = [...readText(REFERENCE_PAGE).matchAll(/`([a-z]\w*\.[\w.]*(?:Ms|Max))`/gu)].map(([, name = '']) => name);

  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => valueInWords(name) === null)).toEqual([]);
});

test('given every page, when its links are followed, then each leads to a file, and to a heading if it names one', () => {
  const pages = globSync(['*.md', 'docs/**/*.md', '{apps,packages,tools,bench,infra,examples}/**/README.md'], {
    cwd: REPOSITORY,
    exclude: ['**/node_modules'],
  });

  expect(pages.length).toBeGreaterThan(60);
  expect(pages.flatMap((page) => brokenLinks(page))).toEqual([]);
});

test.each([
  ['a page that is not there', '[it](nowhere.md)'],
  ['a heading that its page lacks', '[it](recovery.md#nothing-of-that-name)'],
  ['a heading that this page lacks', '[it](#nothing-of-that-name)'],
])('given a link to %s, when the page is checked, then the link is named', (_what, text) => {
  expect(brokenLinks('docs/recovery.md', text)).toHaveLength(1);
});

test('given every decision record, when the index is read, then it names each and no other', () => {
  const records = readdirSync(path.join(REPOSITORY, 'docs/adr')).filter((name) => /^\d{4}-.*\.md$/u.test(name));

  const named = [...readText('docs/adr/README.md').matchAll(/\]\((\d{4}-[^)]*\.md)\)/gu)].map(([, name]) => name);

  expect(named.toSorted()).toEqual(records.toSorted());
});

// Checks that pages that comments cite exist.
import { expect, test } from 'vitest';
import { citationProblems } from './citations.ts';
import { parseSource } from '../source/source.ts';

const PAGES = ['docs/recovery.md', 'docs/adr/0001-one-database.md'];

test.each([
  ['a page that is not there', '// See docs/nowhere.md, limits.'],
  ['a record that is not there', '/** Source: docs/adr/0099. */'],
])('given a comment, when it cites %s, then that is a problem', (_what, text) => {
  expect(citationProblems(parseSource('a.ts', text), PAGES)).toHaveLength(1);
});

test.each([
  ['a page', '// See docs/recovery.md, limits.'],
  ['a record by its number', '/** Source: docs/adr/0001. */'],
  ["another project's page", '// https://example.com/docs/nowhere.md'],
])('given a comment, when it cites %s, then that is fine', (_what, text) => {
  expect(citationProblems(parseSource('a.ts', text), PAGES)).toEqual([]);
});

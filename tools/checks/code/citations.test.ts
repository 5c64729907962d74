// Are the pages that comments cite there?
import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { citationProblems } from './citations.ts';
import { listRooms, REPOSITORY } from '../source/rooms.ts';
import { parseSource, sourcesIn } from '../source/source.ts';

const PAGES = ['docs/recovery.md', 'docs/adr/0001-one-database.md'];

test('given every comment, when it cites a page of docs, then the page is there', () => {
  const pages = globSync('docs/**/*.md', { cwd: REPOSITORY }).map((page) => page.replaceAll('\\', '/'));
  const sources = sourcesIn(listRooms().map((room) => room.directory));

  expect(sources.flatMap((source) => citationProblems(source, pages))).toEqual([]);
});

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

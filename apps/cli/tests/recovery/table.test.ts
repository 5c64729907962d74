/** Tests that the page about tested recovery is true, and names only rows of the page about recovery. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FILES, PAGE, tablePage } from './table.ts';

const scenarios = Object.values(FILES).flat();

/** Strips blanks and rulers of tables, which the formatter adds. */
function plain(text: string): string {
  return text.replaceAll(/-{3,}/gu, '---').replaceAll(/ +/gu, ' ');
}

test('given the scenarios, when the page is read, then it is what `node apps/cli/tests/recovery/table.ts` writes', () => {
  expect(plain(readFileSync(PAGE, 'utf8'))).toBe(plain(tablePage()));
});

test('given every scenario, when its section is looked for in docs/recovery-reference.md, then it is there', () => {
  const page = readFileSync(PAGE.replace('proof/recovery.md', 'recovery-reference.md'), 'utf8');

  expect(scenarios.filter(({ section }) => !page.includes(section)).map(({ title }) => title)).toEqual([]);
});

test('given every scenario, when workers are added, then each has a worker of its own', () => {
  for (const file of Object.values(FILES)) {
    const names = file.map(({ worker }) => worker);
    expect(new Set(names).size).toBe(names.length);
  }
});

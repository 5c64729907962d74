/** Checks that the measures count what they say. */
import { ROUTES } from '@drover/api';
import { expect, test } from 'vitest';
import { parseSource } from '../checks/source/source.ts';
import { countCasts, countTables, OLDER_BUILDS, takeMeasures } from './measures.ts';
import { filesOfReport, filesOfWalk } from './walk.ts';

test('given casts and an `as const`, when they are counted, then only what the compiler must believe counts', () => {
  const text = "const a = b as C; const d = ['e'] as const; f(g as unknown as H);";

  expect(countCasts([parseSource('packages/store/src/sql/a.ts', text)])).toBe(3);
});

function tableOf(names: readonly string[]): string {
  return `export const A = { ${names.map((it) => `'${it}': 1`).join()} };`;
}

test('given a second table of operations, when tables are counted, then it counts, and the part of one subject does not', () => {
  const names = Object.keys(ROUTES);
  const sources = [names, names.filter((name) => name.startsWith('machines.'))].map((some, at) =>
    parseSource(`packages/api/src/${at}.ts`, tableOf(some)),
  );

  expect(countTables(sources)).toBe(1);
});

test('given words about builds, when they are sought, then those before a first release are found, and unknown ones are not', () => {
  expect('an older build, and an earlier release'.match(OLDER_BUILDS)).toHaveLength(2);
  expect('made by another build; left as it is'.match(OLDER_BUILDS)).toBeNull();
});

test('given the walks from a screen, when they are counted, then each file is there, and once', () => {
  for (const files of [filesOfWalk(), filesOfReport()]) expect(new Set(files).size).toBe(files.length);
});

test('given the house, when its measures are taken, then none is above its aim', () => {
  const above = takeMeasures().filter(({ aim, today }) => aim !== '' && numberOf(today) > numberOf(aim));

  expect(above.map(({ of }) => of)).toEqual([]);
});

function numberOf(shown: string): number {
  return Number(shown.replaceAll(',', ''));
}

/** Checks that the measures count what they say. */
import { ROUTES } from '@drover/api';
import { expect, test } from 'vitest';
import { parseSource } from '../checks/source/source.ts';
import { countCasts, countTables, OLDER_BUILDS, takeMeasures } from './measures.ts';
import { countDeclared, namesOfCommand } from './proof.ts';
import { filesOfWalk } from './walk.ts';

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

test('given the walk from a screen to its command, when it is counted, then each of its files is there', () => {
  expect(new Set(filesOfWalk()).size).toBe(filesOfWalk().length);
});

test('given declarations of a name, when they are counted, then a copy counts, and a use does not', () => {
  const texts = ['export function pause() {}', 'const pause = (): void => {};', 'await pause();', 'const pause = 3;'];
  const sources = texts.map((text, at) => parseSource(`packages/a/src/${at}.ts`, text));

  expect(countDeclared(sources, 'pause')).toBe(2);
});

test('given fields and parameters that hold commands, when their names are taken, then each counts once', () => {
  const text =
    'interface A { readonly command: Command } function f(order: IssuedCommand, command: Command): Command { return command }';

  expect([...namesOfCommand([parseSource('packages/core/src/a.ts', text)])]).toEqual(['command', 'order']);
});

test('given the house, when its measures are taken, then those that are not kept are the known ones', () => {
  const above = takeMeasures().filter(({ isKept }) => !isKept);

  // Take a line from this list when its aim is reached.
  expect(above.map(({ of }) => of)).toEqual(OPEN);
});

const OPEN: readonly string[] = [];

/** Checks that imports that run up the floors of an app are found. */
import { expect, test } from 'vitest';
import { readText } from '../source/rooms.ts';
import { parseSource } from '../source/source.ts';
import { floorProblems, readFloors } from './floors.ts';

const PAGE =
  '# app\n\n## Floors\n\n| floor | rooms |\n| --- | --- |\n| 2 | `use-cases` |\n| 1 | `facts`, `main.ts` |\n';
const SMALL = readFloors(PAGE);

function problems(file: string, text: string): readonly string[] {
  return floorProblems(parseSource(`apps/a/src/${file}`, text), 'apps/a/src', SMALL);
}

test('given the README of the coordinator, when its floors are read, then the loop stands between facts and use cases', () => {
  const floors = readFloors(readText('apps/coordinator/README.md'));

  expect(floors.get('loop')).toBeGreaterThan(floors.get('facts') ?? Infinity);
  expect(floors.get('loop')).toBeLessThan(floors.get('use-cases') ?? 0);
});

test.each([
  ['an import upward', 'facts/roster.ts', "import { a } from '../use-cases/tasks/a.ts';"],
  ['an import of a type upward', 'facts/roster.ts', "import type { A } from '../use-cases/tasks/a.ts';"],
  ['a use case that imports another', 'use-cases/tasks/a.ts', "import { b } from '../queue/b.ts';"],
  ['an import() beside', 'facts/roster.ts', "const a = await import('../main.ts');"],
  ['an import of a room without a floor', 'facts/roster.ts', "import { a } from '../doors/a.ts';"],
  ['a file on no floor', 'doors/a.ts', ''],
])('given %s, when it is checked, then that is a problem', (_, file, text) => {
  expect(problems(file, text)).toHaveLength(1);
});

test('given imports downward and within a room, when they are checked, then they are fine', () => {
  const text = "import { a } from '../../facts/roster.ts';\nimport { b } from './b.ts';\nimport fs from 'node:fs';";

  expect(problems('use-cases/tasks/a.ts', text)).toEqual([]);
});

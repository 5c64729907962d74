// Checks that each room declares exactly what it imports, and that each library's reason is written down.
import { expect, test } from 'vitest';
import { dependencyProblems, undocumented } from './dependencies.ts';
import { unlockedPlatforms } from './lock-file.ts';
import { listRooms, readManifest, readText, type Room } from '../source/rooms.ts';
import { parseSource } from '../source/source.ts';

const root = readManifest('.');

test('given every direct dependency, when docs/dependencies.md is read, then it says why it is here, and names no other', () => {
  const manifests = [root, ...listRooms().map((room) => room.manifest)];

  expect(undocumented(readText('docs/dependencies.md'), manifests)).toEqual([]);
});

test('given package-lock.json, when its platforms are read, then it has the programs of each', () => {
  expect(unlockedPlatforms(readText('package-lock.json'))).toEqual([]);
});

const room: Room = {
  directory: 'packages/example',
  manifest: {
    ...root,
    name: '@drover/example',
    dependencies: { zod: '4' },
    devDependencies: {},
    optionalDependencies: {},
  },
};

function problems(file: string, text: string): readonly string[] {
  return dependencyProblems(room, [parseSource(`packages/example/${file}`, text)], root);
}

test('given an import that is not declared, when it is checked, then it is a problem, in tests too', () => {
  expect(problems('src/a.ts', `import 'zod'; import { a } from '@scope/b/c';`)).toEqual([
    'packages/example/src/a.ts:1: imports @scope/b, which packages/example/package.json does not declare',
  ]);
  expect(problems('src/a.test.ts', `import 'zod'; import 'nowhere';`)).toHaveLength(1);
});

test("given the repository's own test library, when a test imports it, then that is fine, and a problem elsewhere", () => {
  const text = `import 'zod'; import { test } from 'vitest'; import 'node:fs';`;

  expect(problems('src/a.test.ts', text)).toEqual([]);
  expect(problems('src/a.ts', text)).toHaveLength(1);
});

test('given a dependency that nothing imports, when it is checked, then it is a problem', () => {
  expect(problems('src/a.ts', `import 'node:fs';`)).toEqual([
    'packages/example/package.json: declares zod, which nothing in the room imports',
  ]);
});

test('given a lock file without the program of one platform, when it is checked, then that is a problem', () => {
  const packages = {
    'node_modules/a': { optionalDependencies: { 'a-mac': '1', 'a-linux': '1' } },
    'node_modules/a-linux': {},
  };

  expect(unlockedPlatforms(JSON.stringify({ packages }))).toEqual([expect.stringContaining('lacks a-mac')]);
});

test('given a page that lacks a library and names another, when it is checked, then both are problems', () => {
  expect(undocumented('- `left-pad`: because.\n', [room.manifest])).toEqual([
    'left-pad has a line, but nothing depends on it',
    'zod has no line that says why it is here',
  ]);
});

/** Checks that circles of rooms are found, and counted as arrows that run back up. */
import { expect, test } from 'vitest';
import { parseSource } from '../source/source.ts';
import { drawGraph, pileUp, type Structure } from './graph.ts';

function pile(files: Readonly<Record<string, string>>): Structure {
  const sources = Object.entries(files).map(([file, text]) => parseSource(`apps/a/src/${file}`, text));
  return pileUp(drawGraph('apps/a/src', sources));
}

const STRAIGHT = {
  'main.ts': "import { b } from './http/b.ts';",
  'http/b.ts': "import type { C } from '../use-cases/tasks/c.ts';\nimport { d } from './door/d.ts';",
  'http/door/d.ts': '',
  'use-cases/tasks/c.ts': "import { e } from '../../facts/e.ts';",
  'use-cases/queue/c.ts': "export * from '../../facts/e.ts';",
  'facts/e.ts': "import fs from 'node:fs';",
};

test('given rooms that import one way, when they are piled up, then each stands above what it imports', () => {
  expect(pile(STRAIGHT)).toEqual({ rooms: 5, floors: 4, backUp: [] });
});

test('given an import that closes a circle, when the rooms are piled up, then one arrow runs back up', () => {
  const circle = { ...STRAIGHT, 'facts/e.ts': "const b = await import('../http/b.ts');" };

  expect(pile(circle).backUp).toEqual(['facts -> http']);
});

test('given two use cases that import one another, when the rooms are piled up, then that is a circle', () => {
  const circle = {
    ...STRAIGHT,
    'use-cases/tasks/c.ts': "import type { C } from '../queue/c.ts';",
    'use-cases/queue/c.ts': "import { c } from '../tasks/c.ts';",
  };

  expect(pile(circle).backUp).toHaveLength(1);
});

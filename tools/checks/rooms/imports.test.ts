// Checks that imports go only from upper rooms to lower ones, as docs/architecture.md says.
import { expect, test } from 'vitest';
import { importProblems } from './imports.ts';
import { layersOf, listRooms, readText } from '../source/rooms.ts';
import { parseSource } from '../source/source.ts';

const layers = layersOf(readText('docs/architecture.md'));

test('given the rooms of the workspaces, when docs/architecture.md is read, then it names each with its layer', () => {
  const unnamed = listRooms().filter((room) => !layers.has(room.directory));

  expect(unnamed.map((room) => room.directory)).toEqual([]);
});

test.each([
  ['upwards', 'packages/core/src/a.ts', `import { a } from '@drover/protocol';`],
  ['sideways', 'packages/tmux/src/a.ts', `import { a } from '@drover/worktree';`],
  ['sideways, types only', 'packages/tmux/src/a.ts', `import type { A } from '@drover/worktree';`],
  ['sideways, as a re-export', 'packages/tmux/src/a.ts', `export * from '@drover/worktree';`],
  ['sideways, inside a type', 'packages/tmux/src/a.ts', `type A = import('@drover/worktree').A;`],
  ['sideways, when reached', 'packages/tmux/src/a.ts', `const a = await import('@drover/worktree');`],
  ['from app to app', 'apps/machine-agent/src/a.ts', `import { a } from '@drover/coordinator';`],
  ['out of the room by a path', 'packages/tmux/src/a.ts', `import { a } from '../../core/src/a.ts';`],
  ['values of api in the CLI', 'apps/cli/src/a.ts', `import { a } from '@drover/api';`],
  ['the store in the CLI', 'apps/cli/src/a.ts', `import type { A } from '@drover/store';`],
  [
    'an app in a command that only asks',
    'apps/cli/src/commands/worker/status.ts',
    `import { a } from '@drover/coordinator';`,
  ],
  ['an app in what all commands share', 'apps/cli/src/main.ts', `import { a } from '@drover/machine-agent';`],
  ['another app in a composition root', 'apps/cli/src/compose/agent.ts', `import { a } from '@drover/sim-agent';`],
  ['the store in a composition root', 'apps/cli/src/commands/root/up.ts', `await import('@drover/store');`],
  ['core in a command', 'apps/cli/src/commands/worker/why.ts', `import { a } from '@drover/core/tool-failures';`],
  ['all of core in the hook', 'apps/cli/src/hook/answer.ts', `import { a } from '@drover/core';`],
  ['a fake outside of tests', 'apps/coordinator/src/a.ts', `import { a } from '@drover/store/testing';`],
  ['a computed module', 'apps/coordinator/src/a.ts', 'await import(name);'],
  ['a room that no page names', 'apps/coordinator/src/a.ts', `import { a } from '@drover/secret';`],
  ['from a room that no page names', 'packages/secret/src/a.ts', ''],
])('given an import %s, when it is checked, then it is a problem', (_, file, text) => {
  expect(importProblems(parseSource(file, text), layers)).toHaveLength(1);
});

test.each([
  ['downwards', 'packages/store/src/a.ts', `import { a } from '@drover/core';`],
  ['inside the room', 'packages/store/src/a.ts', `import { a } from './b/c.ts';`],
  ['types of api in the CLI', 'apps/cli/src/a.ts', `import type { AppRouter } from '@drover/api';`],
  ['an app in `drover up`', 'apps/cli/src/commands/root/up.ts', `import { a } from '@drover/coordinator';`],
  ['an app where it is composed', 'apps/cli/src/compose/agent.ts', `import { a } from '@drover/machine-agent';`],
  [
    'the failures of tools in the hook',
    'apps/cli/src/hook/answer.ts',
    `import { a } from '@drover/core/tool-failures';`,
  ],
  [
    'hidden characters in the CLI',
    'apps/cli/src/terminal/terminal.ts',
    `import { a } from '@drover/core/hidden-characters';`,
  ],
  ['a fake in a test', 'apps/coordinator/src/a.test.ts', `import { a } from '@drover/store/testing';`],
  ['a real part in a test of the CLI', 'apps/cli/tests/a.test.ts', `import { a } from '@drover/store';`],
  ['a harness in a test of the CLI', 'apps/cli/tests/a.test.ts', `import { a } from '@drover/store/testing';`],
  ['anything in tools', 'tools/demo/main.ts', `import { a } from '@drover/coordinator';`],
])('given an import %s, when it is checked, then it is fine', (_, file, text) => {
  expect(importProblems(parseSource(file, text), layers)).toEqual([]);
});

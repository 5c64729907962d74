// Checks that everything Drover does on a machine with panes goes through the host port.
import { expect, test } from 'vitest';
import { parseSource } from '../source/source.ts';
import { accessProblems, staleExcuses } from './machine-access.ts';

test.each([
  "import { stat } from 'node:fs/promises';",
  "import * as fs from 'fs';",
  "const { open } = await import('node:fs/promises');",
  "import { spawn } from 'node:child_process';",
  "import { hostname } from 'node:os';",
  "import { connect } from 'node:net';",
  'process.kill(pid);',
  "process['kill'](pid);",
  'const { platform } = process;',
  'const host = createLocalHost({ env });',
])('given a file of the machine agent, when it says %j, then that is a problem', (text) => {
  expect(accessProblems(parseSource('apps/machine-agent/src/execute/a.ts', text))).toHaveLength(1);
});

test.each(["import { join } from 'node:path';", 'const version = process.version;', 'await host.stat(path);'])(
  'given a file of the machine agent, when it says %j, then that is fine',
  (text) => {
    expect(accessProblems(parseSource('apps/machine-agent/src/execute/a.ts', text))).toEqual([]);
  },
);

test('given a test, another room and an excused file, when they reach their own machine, then that is fine', () => {
  const text = "import { stat } from 'node:fs/promises';";

  for (const file of [
    'apps/machine-agent/src/a.test.ts',
    'apps/machine-agent/src/testing/a.ts',
    'packages/host/src/local/a.ts',
    'apps/machine-agent/src/store/database.ts',
  ])
    expect(accessProblems(parseSource(file, text))).toEqual([]);
});

test('given an excuse of a file that reaches nothing any more, when excuses are checked, then it is named', () => {
  const file = 'apps/machine-agent/src/store/database.ts';

  expect(staleExcuses([parseSource(file, 'export {};')])).toContain(file);
});

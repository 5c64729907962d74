// Checks that only adapters have effects, that all output for people passes the one door, and that files are short and finished: by lint, and by
// the check of what lint cannot name.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { REPOSITORY } from '../source/rooms.ts';
import { parseSource } from '../source/source.ts';
import { effectProblems } from './effects.ts';

const EFFECTS = [
  'const now = Date.now;',
  'const { now } = Date;',
  "const a = Math['random']();",
  'const a = performance.now();',
  'const timers = { setInterval };',
  'globalThis.setImmediate(() => {});',
  "await fetch('http://x');",
  'const { env } = process;',
  'const a = AbortSignal.timeout(5);',
  "import { setTimeout as sleep } from 'node:timers/promises';",
  "export { performance } from 'node:perf_hooks';",
  "process.stdout.write('x');",
  'const { stderr } = process;',
  "console.log('x');",
];
const OF_A_MACHINE = [
  "import { stat } from 'node:fs/promises';",
  "const { open } = await import('fs');",
  "process['kill'](1);",
  'const { platform } = process;',
  "import { createLocalHost } from '@drover/host';",
];
const FINE = [
  'type Ports = { fetch: () => Promise<Response>; setTimeout(ms: number): void };',
  'export function load(fetch: () => void) { fetch(); }',
  "import { join } from 'node:path';",
  'process.exitCode = 1;',
];

/** Files that are unfinished, or have more than one subject. */
const UNFIT = ['// TODO: more', '/* A hack. */', 'f();\n'.repeat(301)];

/** Rules that are tried here. */
const RULES = /no-restricted|no-console|no-warning-comments|max-lines/u;

/** Lints each text as a file of that folder. @returns for each whether there is a problem. */
function lintAs(folder: string, name: string, texts: readonly string[]): readonly boolean[] {
  const root = mkdtempSync(path.join(tmpdir(), 'lint-'));
  try {
    copyFileSync(path.join(REPOSITORY, '.oxlintrc.json'), path.join(root, '.oxlintrc.json'));
    const files = texts.map((text, index) => {
      const file = path.join(root, folder, `t${index}`, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    });
    const oxlint = path.join(REPOSITORY, 'node_modules/.bin/oxlint');
    const { stdout } = spawnSync(oxlint, ['--format', 'unix'], { cwd: root, encoding: 'utf8' });
    const said = stdout.split('\n').filter((line) => RULES.test(line));
    return files.map((file) => said.some((line) => line.includes(path.relative(root, file))));
  } finally {
    rmSync(root, { recursive: true });
  }
}

test.each([
  ['packages/store/src', 'a.ts', EFFECTS, true],
  ['packages/store/src', 'a.ts', [...FINE, ...OF_A_MACHINE, 'const text = new Date(5).toISOString();'], false],
  ['packages/core/src', 'a.ts', ['const text = new Date(5).toISOString();'], true],
  ['apps/machine-agent/src', 'a.ts', [...EFFECTS, ...OF_A_MACHINE], true],
  ['apps/machine-agent/src', 'a.ts', FINE, false],
  ['packages/store/src', 'timer-adapter.ts', EFFECTS.slice(0, -3), false],
  ['apps/machine-agent/src', 'timer-adapter.ts', EFFECTS.slice(0, -3), false],
  ['apps/machine-agent/src', 'timer-adapter.ts', OF_A_MACHINE.filter((text) => text.includes('import')), true],
  ['packages/store/src', 'a.test.ts', EFFECTS.slice(0, -1), false],
  ['packages/store/src', 'a.ts', UNFIT, true],
  ['tools', 'a.test.ts', UNFIT, true],
  ['tools', 'a.ts', ['f();\n'.repeat(300)], false],
] as const)(
  'given files %s/…/%s with effects, or what they may not be, when they are linted, then each is judged',
  (folder, name, texts, isWrong) => {
    const judged = lintAs(folder, name, texts);

    expect(texts.filter((_, index) => judged[index] !== isWrong)).toEqual([]);
  },
);

test.each([
  ['const a = new Date();', 1],
  ['const text = new Date(5).toISOString(), is = value instanceof Date;', 0],
  ["spawn('git', [], { stdio: ['ignore', 'inherit', 'pipe'] });", 1],
  ["writeSync(1, 'x');", 1],
  ["fs.writeFileSync(2, 'x');", 1],
  ["open('/dev/tty', 'w');", 1],
  ["writeSync(file, 'x'); await writeFile(name, '1');", 0],
])('given a file that says %j, when it is checked, then there are %i problems', (text, problems) => {
  expect(effectProblems(parseSource('apps/cli/src/a.ts', text))).toHaveLength(problems);
});

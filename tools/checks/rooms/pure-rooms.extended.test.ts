// Checks that `core` and `screen` compile without Node and without a browser.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { REPOSITORY } from '../source/rooms.ts';

const ROOMS = ['packages/core', 'packages/screen'];
const TSC = path.join(REPOSITORY, 'node_modules/.bin/tsc');
const WITHOUT_NODE = {
  extends: path.join(REPOSITORY, 'tsconfig.base.json'),
  compilerOptions: { types: [], noEmit: true },
};
const CANARY = [
  'process.exit();',
  'setTimeout(() => {}, 1);',
  'document.title;',
  "fetch('x');",
  'console.log(1);',
  'Buffer.from([]);',
  "import 'node:fs';",
];

const directory = await mkdtemp(path.join(os.tmpdir(), 'drover-pure-'));
afterAll(() => rm(directory, { recursive: true }));

/** Compiles files without Node's types, and returns what the compiler said. */
async function compile(room: string, files: { include: string[]; exclude: string[] }): Promise<string> {
  const project = path.join(directory, `${path.basename(room)}-${path.basename(files.include[0] ?? '')}.json`);
  await writeFile(project, JSON.stringify({ ...WITHOUT_NODE, ...files }));
  return new Promise((resolve) => {
    execFile(TSC, ['-p', project, '--pretty', 'false'], { timeout: 60_000 }, (_, stdout) => resolve(stdout));
  });
}

// Tests are left out: they import vitest, whose types bring Node's along for every file of the program.
test.each(ROOMS)(
  'given %s without its tests, when it is compiled where Node has no types, then there is no error',
  async (room) => {
    const source = path.join(REPOSITORY, room, 'src');

    const said = await compile(room, { include: [source], exclude: [`${source}/**/*.test.ts`] });

    expect(said).toBe('');
  },
);

test.each(ROOMS)(
  'given a file with effects, when it is compiled as %s is, then every line of it fails',
  async (room) => {
    const canary = path.join(directory, `${path.basename(room)}.ts`);
    await writeFile(canary, CANARY.join('\n'));

    const said = await compile(room, { include: [canary], exclude: [] });

    const failed = new Set([...said.matchAll(/\((\d+),\d+\): error/gu)].map(([, line]) => Number(line)));
    expect([...failed].toSorted((one, other) => one - other)).toEqual(CANARY.map((_, index) => index + 1));
  },
);

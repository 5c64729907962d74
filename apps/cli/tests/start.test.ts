/** Tests the start of Node by `bin/drover`, with a program in place of Drover that reports its start. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const BIN = path.resolve(import.meta.dirname, '../../../bin');
const TELLS = `console.log(JSON.stringify({
  args: process.argv.slice(2), flags: process.execArgv, tunables: process.env.GLIBC_TUNABLES ?? null }));`;

/** Reads 31 MiB while it keeps something small beside each piece, forgets what it has read, and tells by how many MiB it is larger then. */
const READS = `
process.getBuiltinModule('v8').setFlagsFromString('--expose-gc');
const gc = process.getBuiltinModule('vm').runInNewContext('gc');
gc();
const before = process.memoryUsage.rss();
const kept = [];
let read = Array.from({ length: 500 }, () => { kept.push(new ArrayBuffer(200)); return Buffer.alloc(65_536, 1); });
read = [];
gc();
gc();
console.log((process.memoryUsage.rss() - before) / 2 ** 20);`;

async function started(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  program = TELLS,
): Promise<unknown> {
  const place = await mkdtemp(path.join(tmpdir(), 'start '));
  try {
    for (const directory of ['bin', 'runtime', 'apps/cli/src'])
      await mkdir(path.join(place, directory), { recursive: true });
    for (const file of ['drover', 'drover.mjs']) await copyFile(path.join(BIN, file), path.join(place, 'bin', file));
    await symlink(process.execPath, path.join(place, 'runtime/node'));
    await writeFile(path.join(place, 'apps/cli/src/main.ts'), program);
    const env = { PATH: process.env['PATH'], HOME: place, ...variables };
    const { stdout } = await promisify(execFile)('sh', [path.join(place, 'bin/drover'), ...args], { env });
    return JSON.parse(stdout);
  } finally {
    await rm(place, { recursive: true });
  }
}

test('given a command that stays beside agents, when it starts, then it runs small, and what it starts does not inherit how', async () => {
  const small = ['--no-opt', '--optimize-for-size', '--no-sparkplug', '--no-maglev', '--no-short-builtin-calls'];

  expect(await started(['up', '--port', '0'])).toEqual({
    args: ['up', '--port', '0'],
    flags: small,
    tunables: null,
  });
  expect(await started(['server', 'agent', 'a b'])).toEqual({
    args: ['server', 'agent', 'a b'],
    flags: small,
    tunables: null,
  });
  expect(await started(['server', 'export', 'a'])).toMatchObject({ flags: ['--max-semi-space-size=4'] });
  expect(await started(['status'])).toMatchObject({ args: ['status'], flags: ['--max-semi-space-size=4'] });
});

test('given a person who tunes glibc, when a command starts, then their value stays for all programs', async () => {
  const GLIBC_TUNABLES = 'glibc.malloc.arena_max=3';

  expect(await started(['up'], { GLIBC_TUNABLES })).toMatchObject({ tunables: GLIBC_TUNABLES });
  expect(await started(['status'], { GLIBC_TUNABLES })).toMatchObject({ tunables: GLIBC_TUNABLES });
});

test.runIf(process.platform === 'linux')(
  'given a command that stays beside agents, when it has read much, then what it keeps beside does not hold that memory',
  async () => {
    const grown = Number(await started(['up'], {}, READS));

    expect(grown).toBeLessThan(10);
  },
);

/** The tested program: the bundle that people install, packed once for each run of the tests. The bundle starts in half of the time. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { until } from './wait.ts';

/** The tested checkout. */
export const REPOSITORY = path.resolve(import.meta.dirname, '../..');

/** Place in the directory of the test run, which is removed with it. */
const PLACE = path.join(os.tmpdir(), 'packed');

/** Files that the bundle finds relative to itself, or by the name of a package. */
const BESIDE = ['apps/sim-agent', 'apps/dashboard/dist', 'migrations', 'node_modules', 'package.json'];

/** Milliseconds until another test file has packed it on a loaded machine. */
const PACKED_MS = 120_000;

// A tool that plays these scenarios outside of a test run has no directory that is removed with it.
const IS_PACKED = process.env['VITEST'] !== undefined;
if (IS_PACKED) await pack();

/** The file that Node runs. */
export const MAIN = IS_PACKED
  ? path.join(PLACE, 'apps/cli/dist/main.js')
  : path.join(REPOSITORY, 'apps/cli/src/main.ts');

/** The directory of that file and of the other programs of the bundle. */
export const BUILD = path.dirname(MAIN);

/** The command that people type. */
export const DROVER = path.join(IS_PACKED ? PLACE : REPOSITORY, 'bin/drover');

/** Packs the program in the first test file that asks; the others wait. */
async function pack(): Promise<void> {
  const making = `${PLACE}.making`;
  await until(
    () => 'the bundle of drover',
    async () => {
      if (existsSync(PLACE)) return true;
      const isMine = await mkdir(making).then(
        () => true,
        () => false,
      );
      if (!isMine) return undefined;
      try {
        // Another file may have ended between the two questions.
        if (existsSync(PLACE)) return true;
        await make(making);
        await rename(making, PLACE);
      } finally {
        await rm(making, { recursive: true, force: true });
      }
      return true;
    },
    PACKED_MS,
  );
}

async function make(place: string): Promise<void> {
  for (const name of ['apps', 'apps/dashboard', 'bin']) await mkdir(path.join(place, name));
  for (const name of BESIDE) await symlink(path.join(REPOSITORY, name), path.join(place, name));
  // Laid out like the package: an agent in a cage sees the whole place above `bin`, and nothing beside it.
  await writeFile(path.join(place, 'bin/drover.mjs'), "await import('../apps/cli/dist/main.js');\n");
  const script = ['#!/bin/sh', `exec '${process.execPath}' '${PLACE}/bin/drover.mjs' "$@"`, ''].join('\n');
  await writeFile(path.join(place, 'bin/drover'), script, { mode: 0o755 });
  const bundle = path.join(REPOSITORY, 'tools/package/bundle.ts');
  await promisify(execFile)(process.execPath, [bundle, path.join(place, 'apps/cli/dist')]);
}

/** A build of a former commit, packed from the history of this repository as users have it installed. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from './program.ts';

const run = promisify(execFile);

/** Whether the commit is in this clone: a shallow one has no history. */
export function hasCommit(commit: string): boolean {
  return spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: REPOSITORY }).status === 0;
}

/** Packs it. @returns the file that runs as `drover`. */
export async function olderBuild(commit: string, place: string): Promise<string> {
  await mkdir(path.join(place, 'node_modules'), { recursive: true });
  await run('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, place], { cwd: REPOSITORY });
  // Its own rooms, and the libraries of this checkout.
  const modules = path.join(REPOSITORY, 'node_modules');
  for (const name of await readdir(modules))
    if (name !== '@drover') await symlink(path.join(modules, name), path.join(place, 'node_modules', name));
  await mkdir(path.join(place, 'node_modules/@drover'));
  for (const folder of ['apps', 'packages'])
    for (const room of await readdir(path.join(place, folder)))
      await symlink(path.join(place, folder, room), path.join(place, 'node_modules/@drover', room));
  // It moved after the older of these builds.
  const bundlers = ['tools/package/bundle.ts', 'tools/bundle.ts'].map((file) => path.join(place, file));
  const bundler = bundlers.find((file) => existsSync(file)) ?? '';
  await run(process.execPath, [bundler, path.join(place, 'apps/cli/dist')]);
  const program = path.join(place, 'drover');
  const words = ['#!/bin/sh', `exec '${process.execPath}' '${place}/apps/cli/dist/main.js' "$@"`, ''];
  await writeFile(program, words.join('\n'), { mode: 0o755 });
  return program;
}

/** Tests that the packed `drover` of `npm run build` behaves like the sources. The other tests of this folder run a bundle. */
import { spawn } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { finished } from '../../../tools/fleet/processes.ts';
import { REPOSITORY } from '../../../tools/fleet/program.ts';
import { Sandbox } from '../../../tools/fleet/sandbox.ts';

test('given a fresh bundle, when it makes a root and explains itself, then it answers as the sources do', async () => {
  await using sandbox = await Sandbox.open();
  const node = (file: string, args: readonly string[], cwd: string): ReturnType<typeof finished> =>
    finished(spawn(process.execPath, [path.join(REPOSITORY, file), ...args], { cwd, env: { ...sandbox.env } }));

  expect(await node('tools/package/bundle.ts', [], REPOSITORY)).toMatchObject({ status: 0, stderr: '' });
  const init = await node('apps/cli/dist/main.js', ['init'], sandbox.source);
  const help = await node('apps/cli/dist/main.js', ['--help'], sandbox.root);
  const helpOfSources = await node('bin/drover.mjs', ['--help'], sandbox.root);
  const check = await node('apps/cli/dist/main.js', ['project', 'check', '--json'], sandbox.root);

  expect(init).toMatchObject({ status: 0, stderr: '' });
  expect(help).toEqual(helpOfSources);
  expect(JSON.parse(check.stdout)).toMatchObject({ ok: true });
  expect(await wideFiles(path.join(REPOSITORY, 'apps/cli/dist'))).toEqual([]);
});

/**
 * Lists large files that V8 would hold with two bytes for each letter, as V8 does if a letter needs them. A template
 * with a tag keeps its letters.
 */
async function wideFiles(directory: string): Promise<readonly string[]> {
  const wide: string[] = [];
  for await (const file of glob('**/*.js', { cwd: directory })) {
    const text = await readFile(path.join(directory, file), 'utf8');
    // oxlint-disable-next-line no-control-regex -- all letters of one byte, controls among them
    if (text.length > 80_000 && /[^\u0000-\u00ff]/u.test(text)) wide.push(file);
  }
  return wide;
}

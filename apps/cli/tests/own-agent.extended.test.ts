/** Plays docs/guides/own-agent.md: a program that Drover does not know is taught, tried and given work to. */
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Sandbox } from '../../../tools/fleet/sandbox.ts';

const SIM = path.resolve(import.meta.dirname, '../../sim-agent/src/main.ts');
const GUIDE = path.resolve(import.meta.dirname, '../../../docs/guides/own-agent.md');
/** Words that the simulated model acts on. */
const PROMPTS = ['--working', 'SLOW 4000', '--permission', 'PERMISSION Bash touch asked'];
const FAILS = ['--error', 'APIERROR API Error: 500 Internal server error.'];

let sandbox: Sandbox;
let program = '';
beforeAll(async () => {
  sandbox = await Sandbox.withRoot();
  program = path.join(sandbox.directory, 'stranger');
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${SIM}" --trust-dialog "$@"\n`);
  await chmod(program, 0o755);
});
afterAll(() => sandbox[Symbol.asyncDispose]());

test('given a program that Drover does not know, when a person follows the guide, then Drover reads it right at each step, and tells when a change unlearns it', async () => {
  const { file } = JSON.parse(
    await sandbox.done('profile', 'new', 'stranger', '--like', 'claude', '--program', program, '--json'),
  ) as { file: string };
  const tried = await sandbox.drover(['profile', 'try', 'stranger', '--yes', ...PROMPTS, ...FAILS, '--json']);
  const captures = file.replace('.toml', '');
  const tested = await sandbox.drover(['debug', 'screen', 'test', captures]);
  // The profile unlearns how it reads work: the kept screens tell.
  await writeFile(file, `${await readFile(file, 'utf8')}\n[screen]\nbusy = []\n`);
  const unlearnt = await sandbox.drover(['debug', 'screen', 'test', captures]);

  expect({ tried: tried.status, stderr: tried.stderr }).toEqual({ tried: 0, stderr: '' });
  expect(JSON.parse(tried.stdout)).toMatchObject([
    { name: 'dialog', got: 'dialog_trust', right: true },
    { name: 'ready', got: 'ready', right: true },
    { name: 'typed', got: 'typed', right: true },
    { name: 'working', got: 'processing', right: true },
    { name: 'permission', got: 'permission', right: true },
    { name: 'error', got: 'error_terminal', right: true },
    { name: 'exit', got: 'dead', right: true },
  ]);
  expect((await readdir(captures)).filter((name) => name.endsWith('.ansi'))).toHaveLength(7);
  expect(tested).toMatchObject({ status: 0, stdout: '7 right, 0 wrong\n' });
  expect(unlearnt).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('processing-120: ready, not processing (by the rule stranger/ready)'),
  });
});

test('given a profile with a misspelt field, when it is tried or put, then the message names the file and the field', async () => {
  const { file } = JSON.parse(await sandbox.done('profile', 'new', 'typo', '--json')) as { file: string };
  await writeFile(file, `${await readFile(file, 'utf8')}\n[typing]\nsubmitt = "Enter"\n`);

  const tried = await sandbox.drover(['profile', 'try', 'typo', '--yes']);
  const put = await sandbox.drover(['profile', 'put', file]);
  const again = await sandbox.drover(['profile', 'new', 'typo']);

  for (const one of [tried, put])
    expect(one).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`${file} is not a valid profile: typing: Unrecognized key: "submitt"`),
    });
  expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('file already exists') });
});

test('given the guide, when its commands are read, then each is one that the first test types', async () => {
  const guide = await readFile(GUIDE, 'utf8');
  const typed = [...guide.matchAll(/^drover (\w+ \w+)/gmu)].map(([, words]) => words);

  expect(new Set(typed)).toEqual(
    new Set(['profile new', 'profile try', 'debug screen', 'profile put', 'profile show']),
  );
});

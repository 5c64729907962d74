/** Tests the messages of `drover init` about a source that it cannot work from, and that it makes nothing there. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';

interface Case {
  readonly what: string;
  /** Makes the source bad. @returns the options of init. */
  make(sandbox: Sandbox): Promise<readonly string[]>;
  readonly status: number;
  readonly says: RegExp;
}

const CASES: readonly Case[] = [
  {
    what: 'a directory that does not exist',
    make: async () => ['--source', 'nowhere'],
    status: 2,
    says: /nowhere" does not exist: give the directory of a git repository/,
  },
  {
    what: 'a directory that is not a git repository',
    make: async ({ directory }) => {
      await mkdir(path.join(directory, 'plain'));
      return ['--source', path.join(directory, 'plain'), '--target', path.join(directory, 'demo-drover')];
    },
    status: 2,
    says: /plain" is not .*a git repository.*git init/,
  },
  {
    what: 'a bare repository',
    make: async (sandbox) => {
      await sandbox.git('clone', '--quiet', '--bare', '.', '../bare.git');
      return ['--source', '../bare.git', '--target', '../demo-drover'];
    },
    status: 2,
    says: /is a bare repository: give one with a working tree/,
  },
  {
    what: 'a repository without commits',
    make: async (sandbox) => {
      await sandbox.git('init', '--quiet', '../empty');
      return ['--source', '../empty', '--target', '../demo-drover'];
    },
    status: 2,
    says: /no commits?.*commit/,
  },
  {
    what: 'a detached HEAD',
    make: async (sandbox) => {
      await sandbox.git('checkout', '--quiet', '--detach');
      return [];
    },
    status: 2,
    says: /detached.*(check out|switch|checkout)/,
  },
  {
    what: 'uncommitted changes in the default branch',
    make: async ({ source }) => {
      await writeFile(path.join(source, 'a.txt'), 'changed\n');
      return [];
    },
    status: 2,
    says: /uncommitted changes on "main" .*: commit or stash them/,
  },
  {
    what: 'a target inside the source',
    make: async ({ source }) => ['--target', path.join(source, 'here')],
    status: 2,
    says: /lies inside the source .*: choose a target beside it/,
  },
  {
    what: 'a target that holds something else',
    make: async ({ root }) => {
      await mkdir(root);
      await writeFile(path.join(root, 'mine.txt'), 'mine');
      return [];
    },
    status: 2,
    says: /demo-drover" .*(empty|another)/,
  },
  {
    what: 'a target with ":" in its path',
    make: async ({ root }) => ['--target', `${root}:2`],
    status: 2,
    says: /demo-drover:2" cannot be used as a directory: give an absolute path without line breaks or ":"/,
  },
  {
    what: 'a target with a line break in its path',
    make: async ({ root }) => ['--target', `${root}\n2`],
    status: 2,
    says: /demo-drover\\n2" cannot be used as a directory/,
  },
];

test.each(CASES)(
  'given $what, when a root is made, then it is refused with what to do',
  async ({ make, status, says }) => {
    await using sandbox = await Sandbox.open();
    const options = await make(sandbox);

    const ended = await sandbox.drover(['init', ...options], { cwd: sandbox.source });

    expect(ended).toMatchObject({ status, stdout: '', stderr: expect.stringMatching(says) });
    expect(existsSync(path.join(sandbox.root, 'drover.toml'))).toBe(false);
  },
);

test('given data in a directory in which git cannot work, when Drover comes up, then it says so and what to do', async () => {
  await using sandbox = await Sandbox.withRoot();

  const ended = await sandbox.drover(['up'], { env: { DROVER_DATA_DIR: path.join(sandbox.directory, 'a:b') } });

  expect(ended).toMatchObject({ status: 2, stderr: expect.stringMatching(/a:b" cannot be used as a directory/) });
});

test('given a root with a drover.toml, when init is repeated, then the file stays as it is', async () => {
  await using sandbox = await Sandbox.withRoot();
  await sandbox.configure('# mine\n');

  const again = await sandbox.drover(['init'], { cwd: sandbox.source });

  expect(again).toMatchObject({ status: 0, stdout: expect.stringContaining('Found the Drover root') });
  const check = await sandbox.drover(['project', 'check', '--json']);
  expect(JSON.parse(check.stdout)).toMatchObject({ ok: true });
});

test('given a branch that lags the one it follows, when a root is made and looked at, then init and doctor say by how much and name the command', async () => {
  await using sandbox = await Sandbox.open();
  await sandbox.git('checkout', '--quiet', '-b', 'theirs');
  for (const name of ['1', '2', '3']) await sandbox.git('commit', '--quiet', '--allow-empty', '-m', name);
  await sandbox.git('checkout', '--quiet', 'main');
  await sandbox.git('branch', '--quiet', '--set-upstream-to', 'theirs');
  const { root } = sandbox;
  const says = `"main" is 3 commits behind "theirs": workers start from "main"`;
  const help = `git -C ${sandbox.source} pull`;

  const init = await sandbox.drover(['init'], { cwd: sandbox.source });
  const doctor = await sandbox.drover(['doctor'], { cwd: root });

  expect(init.stdout).toContain(`Note: ${says}. To bring it up to date: ${help}`);
  expect(doctor.stdout).toContain(says);
  expect(doctor.stdout).toContain(help);
  for (const { stdout } of [init, doctor])
    expect(stdout).toContain('With follow = "upstream" in [repo] of drover.toml');
});

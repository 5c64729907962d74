/** Tests the messages of `drover` if the machine lacks something: tmux, git, room on the disk, the right to write, a port. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '@drover/store/testing';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.withRoot();
});
afterAll(() => sandbox[Symbol.asyncDispose]());

/** Makes a PATH with only the programs that bin/drover itself needs, and some fake programs. */
async function pathWith(programs: Readonly<Record<string, string>>): Promise<string> {
  const directory = path.join(sandbox.directory, `bin-${Object.keys(programs).join('-')}-${Math.random()}`);
  await mkdir(directory);
  for (const name of ['sh', 'dirname', 'readlink', 'env', 'tmux', 'git']) {
    const says = programs[name];
    if (says === undefined) await symlink(which(name), path.join(directory, name));
    else if (says !== '') {
      await writeFile(path.join(directory, name), `#!/bin/sh\necho "${says}"\n`);
      await chmod(path.join(directory, name), 0o755);
    }
  }
  return directory;
}

function which(name: string): string {
  const found = (process.env['PATH'] ?? '').split(path.delimiter).find((directory) => isProgram(directory, name));
  return path.join(found ?? '/bin', name);
}

function isProgram(directory: string, name: string): boolean {
  try {
    accessSync(path.join(directory, name), constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

test.each([
  ['no tmux', { tmux: '' }, /tmux is missing: .*apt-get install tmux/],
  ['tmux 2.9', { tmux: 'tmux 2.9' }, /tmux 2\.9 is too old, 3\.2a or newer is needed: .*brew install tmux/],
  ['no git', { git: '' }, /git.*(missing|found|cannot be run).*apt-get install git/],
  ['git 2.20', { git: 'git version 2.20.1' }, /git version 2\.20\.1".*2\.34 or newer/],
])('given %s, when up, init and doctor run, then each says what to install', async (_, programs, says) => {
  const env = { PATH: await pathWith(programs) };

  const up = await sandbox.drover(['up'], { env });
  const init = await sandbox.drover(['init'], { env, cwd: sandbox.source });
  const doctor = await sandbox.drover(['doctor'], { env });

  expect(up).toMatchObject({ status: 7, stderr: expect.stringMatching(says) });
  expect(init).toMatchObject({ status: 7, stderr: expect.stringMatching(says) });
  expect(doctor).toMatchObject({ status: 6, stdout: expect.stringMatching(says) });
});

test('given a port that is taken, when up starts, then it names the port and what to do', async () => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.on('listening', resolve));
  const { port } = server.address() as net.AddressInfo;

  const refusal = await sandbox.up(['--port', String(port)]).catch((error: unknown) => String(error));

  server.close();
  expect(refusal).toMatch(new RegExp(`${port}.*(in use|taken).*--port`, 's'));
});

/** Flags by which this user can have a file system of its own for one process; null if none work. */
const ownMounts = [['-m'], ['-rm']].find((flags) => spawnSync('unshare', [...flags, 'true']).status === 0) ?? null;

/** Words before `drover` that mount a small or a read-only file system at the data directory. */
function mounted(options: string, dataDir: string): readonly string[] {
  const script = `mount -t tmpfs -o ${options} tmpfs "$0" && exec "$@"`;
  return ['unshare', ...(ownMounts ?? []), 'sh', '-c', script, dataDir];
}

test.skipIf(ownMounts === null).each([
  ['a full disk', 'size=16k', /(no space left|disk is full).*make room/is],
  ['a read-only data directory', 'ro', /read-only.*DROVER_DATA_DIR/is],
])('given %s, when up starts, then it says so and what to do, and nothing stays', async (_, options, says) => {
  const dataDir = path.join(sandbox.directory, 'mounted');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const before = mounted(options, dataDir);
  await using database = await openTestDatabase();
  const env = { DROVER_DATA_DIR: dataDir, DATABASE_URL: database.connectionString };

  const up = await sandbox.drover(['up'], { before, env });

  expect(up).toMatchObject({ status: 7, stderr: expect.stringMatching(says) });
  expect(up.stderr).not.toMatch(/^ +at /m);
});

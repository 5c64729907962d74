/** Tests what a person meets who types a command in another place, stops a process, or reads a long output: on real parts. */
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endProcess, output } from '../../../../tools/fleet/processes.ts';
import { DROVER } from '../../../../tools/fleet/program.ts';
import { Sandbox, type Up } from '../../../../tools/fleet/sandbox.ts';
import { until } from '../../../../tools/fleet/wait.ts';

let sandbox: Sandbox;
let up: Up;
beforeAll(async () => {
  sandbox = await Sandbox.withRoot();
  up = await sandbox.up([], { env: { DROVER_LOG: undefined } });
});
afterAll(() => sandbox[Symbol.asyncDispose]());

test('given a pipe, when drover up starts and work comes, then it prints the next command and who needs a person, and no more', async () => {
  const greeting = `Drover is up at ${up.url}. Ctrl-C stops it, and agents keep working.\nNext, in another terminal: drover add adam\n`;
  expect(up.said()).toBe(greeting);

  const added = await sandbox.done('add', 'adam', '--wait');
  await sandbox.done('start', '--prompt', 'WRITE a.md one\nCOMMIT Add a');
  await sandbox.until('adam', 'needs_review');

  expect(added).toMatch(/^Added adam on \S+\. It is ready for a task: drover start --prompt "…"\n$/u);
  const call = await until('the call', () => up.said().slice(greeting.length) || undefined);
  expect(call).toMatch(/^\d\d:\d\d:\d\d adam has work for your review: committed "Add a" \(drover review adam\)\n$/u);
});

test('given the source repository, when a command is typed in it, then the root beside it is meant', async () => {
  const below = path.join(sandbox.source, 'deep');
  await mkdir(below);

  expect(await sandbox.drover(['worker', '-q'], { cwd: below })).toMatchObject({ status: 0, stdout: 'adam\n' });
});

test.each([
  ['in the root', [], '.'],
  ["in a worker's clone", [], '.worktrees/adam'],
  ['with a target in the root', ['--source', '../demo', '--target', 'inner'], '.'],
])('given a root, when drover init is typed %s, then it is refused and names the root', async (_where, args, cwd) => {
  const ended = await sandbox.drover(['init', ...args], { cwd: path.join(sandbox.root, cwd) });

  expect(ended).toMatchObject({
    status: 2,
    stderr: expect.stringContaining(`lies in the Drover root ${sandbox.root}`),
  });
});

test.runIf(process.platform === 'linux')(
  'given a drover up that is suspended, when a command is typed, then it says so at once, with the command that helps',
  async () => {
    process.kill(up.pid, 'SIGSTOP');
    const ended = await sandbox.drover(['status']).finally(() => process.kill(up.pid, 'SIGCONT'));

    expect(ended).toMatchObject({ status: 3, stderr: expect.stringContaining(`is suspended (process ${up.pid})`) });
  },
);

test('given a watch in a pipe, when drover up is started anew and work comes, then the watch shows it', async () => {
  const child = spawn(DROVER, ['status', '--watch'], { cwd: sandbox.root, env: { ...sandbox.env } });
  const said = output(child);
  try {
    await until('the first page', () => said().includes('adam') || undefined);
    const { databaseUrl } = up;
    await up.stop();
    await until('the watch to miss it', () => said().includes('Trying again until it answers') || undefined);
    up = await sandbox.up([], { env: { DATABASE_URL: databaseUrl } });
    await sandbox.until('adam', 'needs_review');
    await sandbox.done('reject', 'adam', 'ASK Which? | this | that');
    await sandbox.until('adam', 'needs_input');

    await until('the page with it', () => said().includes('needs_input') || undefined);
    expect(child.exitCode).toBeNull();
  } finally {
    await endProcess(child, 'SIGTERM');
  }
});

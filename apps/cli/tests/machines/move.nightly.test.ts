/** Tests that a worker with uncommitted work moves between machines without a common path, also if both are killed in the middle. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../../../tools/fleet/place.ts';
import { output } from '../../../../tools/fleet/processes.ts';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';
import { SecondMachine } from '../../../../tools/fleet/second-machine.ts';
import { until } from '../../../../tools/fleet/wait.ts';

interface Seen {
  readonly name: string;
  readonly machine: string;
  readonly status: string;
  readonly moving: string | null;
  readonly worktree: string;
}

async function seen(sandbox: Sandbox, name: string): Promise<Seen> {
  const workers = await sandbox.ask<readonly Seen[]>('workers.list');
  const found = workers.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no ${name}`);
  return found;
}

/** Begins a move and acts as soon as the move is in progress. @returns the end of the command. */
async function whileMoving(
  sandbox: Sandbox,
  args: readonly string[],
  act: () => Promise<void>,
): Promise<{ readonly status: number | null; readonly said: string }> {
  const child = spawn(sandbox.program, ['worker', 'move', ...args], {
    cwd: sandbox.root,
    env: sandbox.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = output(child);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await until(`the move to be under way: ${args.join(' ')}`, () => {
    if (child.exitCode !== null) throw new Error(`The move ended:\n${said()}`);
    return said().includes('moving to') ? true : undefined;
  });
  await act();
  return { status: await ended, said: said() };
}

test('given an agent with uncommitted work, when it moves and both machines are killed on the way, then it goes on there, and back, with all of it', async () => {
  await using sandbox = await Sandbox.open();
  const remote = path.join(sandbox.directory, 'remote.git');
  await sandbox.git('clone', '--quiet', '--bare', sandbox.source, remote);
  await sandbox.drover(['init', '--source', `file://${remote}`, '--target', sandbox.root]);
  const coordinator = `[coordinator]\nport = ${await freePort()}\n`;
  // A machine that cannot open its session is given up after another try.
  const policy = '[policy.incident]\nmaxAttemptsPerError = 1\n';
  const repo = `[repo]\nsource = "file://${remote}"\n${policy}`;
  await writeFile(path.join(sandbox.root, 'drover.toml'), `[defaults]\nprofile = "sim"\n${coordinator}${repo}`);
  let up = await sandbox.up();
  await using server = await SecondMachine.join(sandbox, up);
  const { here } = await machines(sandbox);
  await sandbox.drover(['add', 'eva', '--machine', here]);
  await sandbox.until('eva', 'idle');
  await sandbox.drover([
    'start',
    '--worker',
    'eva',
    '--prompt',
    'WRITE draft.txt half an idea\nSLOW 4000\nCOMMIT done',
  ]);
  const { worktree: before } = await seen(sandbox, 'eva');
  await until('uncommitted work', () => (existsSync(path.join(before, 'draft.txt')) ? true : undefined));

  const plan = await sandbox.drover(['worker', 'move', 'eva', 'server', '--dry-run']);
  const nowhere = await sandbox.drover(['worker', 'move', 'eva', 'elsewhere']);
  const there = await whileMoving(sandbox, ['eva', 'server'], async () => {
    await server.kill();
    await server.start();
  });
  const at = await seen(sandbox, 'eva');
  await until('the former place to be cleared', () => (existsSync(before) ? undefined : true));
  await sandbox.until('eva', 'needs_review');
  const began = performance.now();
  const back = await sandbox.drover(['machine', 'drain', 'server']);
  const tookMs = performance.now() - began;
  const whyBack = await sandbox.drover(['why', 'eva', '--all']);
  const closed = await sandbox.drover(['worker', 'move', 'eva', 'server']);
  const listed = await sandbox.drover(['machine']);
  await sandbox.drover(['machine', 'uncordon', 'server']);
  await whileMoving(sandbox, ['eva', 'server'], async () => {
    process.kill(up.pid, 'SIGKILL');
    up = await sandbox.up([], { env: { DATABASE_URL: up.databaseUrl } });
  });
  await until('the move to be over', async () => ((await seen(sandbox, 'eva')).moving === null ? true : undefined));
  await sandbox.until('eva', 'needs_review');
  const end = await seen(sandbox, 'eva');
  await until('its place here to be cleared', () => (existsSync(before) ? undefined : true));
  const carried = await readFile(path.join(end.worktree, 'draft.txt'), 'utf8');
  // A stranger has the name of its session there: that machine is the trouble, and recovery moves the worker with its work.
  await takeItsName(sandbox, 'drover-eva');
  await until('recovery to move it here', async () => {
    const { machine, status, moving } = await seen(sandbox, 'eva');
    return machine === here && status === 'needs_review' && moving === null ? true : undefined;
  });
  const saved = await seen(sandbox, 'eva');
  const history = await sandbox.drover(['logs', 'eva']);
  const whyHere = await sandbox.drover(['why', 'eva', '--all']);
  const reviewed = await sandbox.drover(['review', 'eva']);
  const accepted = await sandbox.drover(['accept', 'eva']);

  expect(plan.stdout).toContain('would move from');
  expect(plan.stdout).toContain('files that git ignores');
  expect(nowhere.status).not.toBe(0);
  expect(nowhere.stderr).toContain('server');
  expect(there).toMatchObject({ status: 0 });
  expect(at.machine).toBe('server');
  expect(carried).toContain('half an idea');
  expect(at.worktree.startsWith(server.home)).toBe(true);
  expect(back).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('no worker that can leave server is left on it'),
  });
  expect(closed.stderr).toContain('drover machine uncordon server');
  expect(listed.stdout).toMatch(/server.*drained/);
  expect(tookMs).toBeLessThan(90_000);
  expect(end).toMatchObject({ machine: 'server', status: 'needs_review' });
  expect(await readFile(path.join(saved.worktree, 'draft.txt'), 'utf8')).toContain('half an idea');
  expect(whyBack.stdout).toMatch(/it was moved there from "server" by the drain of "server" that person \S+ started/u);
  expect(whyHere.stdout).toMatch(/it was moved there from "server" by recovery, because/u);
  expect(history.stdout).toContain('TMUX_SESSION_FAILED');
  expect(reviewed).toMatchObject({ status: 0 });
  expect(reviewed.stdout).toContain('half an idea');
  expect(accepted).toMatchObject({ status: 0 });
  expect(await sandbox.git('-C', remote, 'log', '--format=%s', 'main')).toContain('done');
}, 600_000);

/** Ends the session and begins a stranger's under its name, in one turn of its tmux server. */
async function takeItsName(sandbox: Sandbox, session: string): Promise<void> {
  const sockets = globSync(path.join(sandbox.directory, 'run/fleets/*/*'));
  const taken = sockets.filter((socket) => {
    const words = ['-S', socket, 'kill-session', '-t', `=${session}`, ';', 'new-session', '-d', '-s', session, 'cat'];
    return spawnSync('tmux', words).status === 0;
  });
  expect(taken).toHaveLength(1);
}

async function machines(sandbox: Sandbox): Promise<{ readonly here: string }> {
  const all: readonly { name: string }[] = JSON.parse((await sandbox.drover(['machine', 'list', '--json'])).stdout);
  return { here: all.find(({ name }) => name !== 'server')?.name ?? '' };
}

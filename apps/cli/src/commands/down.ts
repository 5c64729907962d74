/** `drover down`: closes sessions and stops `drover up`. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ask } from '../client.ts';
import { readEndpoint, removeEndpoint } from '../endpoint.ts';
import { CommandError } from '../exit-codes.ts';
import { flag } from '../options.ts';
import { needRoot } from '../surroundings.ts';
import type { Surroundings } from '../surroundings.ts';

/** How long sessions may take to close, and the process to end, in milliseconds. */
const PATIENCE_MS = 30_000;

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  _args: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal } = surroundings;
  const { dataDir, runtimeDir } = needRoot(surroundings);
  const endpoint = await readEndpoint(dataDir);
  if (flag(options, 'force')) {
    if (endpoint !== null) await endProcess(surroundings, endpoint.pid, 'SIGTERM');
    spawnSync('tmux', ['-S', path.join(runtimeDir, 'tmux.sock'), 'kill-server'], { stdio: 'ignore' });
    if (endpoint !== null) await removeEndpoint(dataDir, endpoint.pid);
    terminal.out(
      terminal.json
        ? JSON.stringify({ down: true, forced: true })
        : 'Drover is down; its sessions were closed at once.',
    );
    return;
  }
  if (endpoint === null) {
    throw new CommandError(
      'unreachable',
      'Drover is not up for this root. If sessions of an earlier life are still there, "drover down --force" closes them',
    );
  }
  if (!flag(options, 'keepSessions')) await closeSessions(surroundings);
  await ask(surroundings, (client) => client.fleet.stop.mutate());
  await untilGone(surroundings, endpoint.pid);
  terminal.out(terminal.json ? JSON.stringify({ down: true, forced: false }) : 'Drover is down.');
}

async function closeSessions(surroundings: Surroundings): Promise<void> {
  await ask(surroundings, (client) => client.fleet.down.mutate({ orderId: surroundings.uuid() }));
  const end = surroundings.now() + PATIENCE_MS;
  for (;;) {
    const open = (await ask(surroundings, (client) => client.workers.list.query())).filter(
      ({ status }) => status !== 'offline',
    );
    if (open.length === 0) return;
    if (surroundings.now() > end) {
      const names = open.map(({ name, note }) => `${name} (${note})`).join(', ');
      throw new CommandError('refused', `Sessions are still open: ${names}. Repeat, or "drover down --force"`);
    }
    await surroundings.sleep(100);
  }
}

async function endProcess(surroundings: Surroundings, pid: number, signal: NodeJS.Signals): Promise<void> {
  if (!isAlive(pid)) return;
  process.kill(pid, signal);
  await untilGone(surroundings, pid);
}

async function untilGone(surroundings: Surroundings, pid: number): Promise<void> {
  const end = surroundings.now() + PATIENCE_MS;
  while (isAlive(pid)) {
    if (surroundings.now() > end)
      throw new CommandError('refused', `The process ${pid} does not end: kill it, then run "drover down --force"`);
    await surroundings.sleep(50);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

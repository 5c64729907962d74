/** `drover attach`: a person takes a seat in the worker's terminal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ask } from '../client.ts';
import { CommandError } from '../exit-codes.ts';
import { flag } from '../options.ts';
import { needRoot } from '../surroundings.ts';
import type { Surroundings } from '../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  [name = '']: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal } = surroundings;
  const worker = (await ask(surroundings, (client) => client.workers.list.query())).find((one) => one.name === name);
  if (worker === undefined) throw new CommandError('not-found', `There is no worker "${name}": see "drover status"`);
  if (worker.status === 'offline')
    throw new CommandError('refused', `${name} has no running session (${worker.note || 'offline'})`);
  const socket = path.join(needRoot(surroundings).runtimeDir, 'tmux.sock');
  const args = ['-u', '-S', socket, 'attach-session', '-t', `=${worker.session}`];
  if (terminal.json || flag(options, 'print') || !terminal.interactive) {
    terminal.out(
      terminal.json
        ? JSON.stringify({ machine: worker.machine, argv: ['tmux', ...args] })
        : ['tmux', ...args].join(' '),
    );
    return;
  }
  const { TMUX: _tmux, ...env } = process.env;
  const child = spawn('tmux', args, { stdio: 'inherit', env });
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0)
    throw new CommandError(
      'environment',
      `tmux ended with status ${status ?? 'unknown'}; the worker is on the machine "${worker.machine}"`,
    );
}

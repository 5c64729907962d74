/** `drover attach`: a person takes a seat in the worker's terminal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { CommandError } from '../../exit-codes.ts';
import { flag } from '../../program/options.ts';
import { plain } from '../../terminal/style.ts';
import type { Surroundings } from '../../surroundings.ts';
import { socketWith } from '../../processes/tmux-servers.ts';
import { workerByName } from './by-name.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  [name = '']: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal, paths, environment } = surroundings;
  const { status, note, session, machine } = await workerByName(surroundings, name);
  if (status === 'offline')
    throw new CommandError(
      'refused',
      `${name} has no session (${note || 'offline'}): "drover why ${name}" explains it`,
    );
  if (paths === null) {
    const message = `${name} runs on the machine "${plain(machine)}": run "drover attach ${name}" there, in its Drover root`;
    throw new CommandError('refused', message);
  }
  // The first server is named where none has the session: tmux says then what is wrong.
  const socket = socketWith(paths.runtimeDir, session) ?? path.join(paths.runtimeDir, 'tmux.sock');
  const argv = ['tmux', '-u', '-S', socket, 'attach-session', '-t', `=${session}`] as const;
  if (terminal.json) {
    terminal.out(JSON.stringify({ machine, argv }));
    return;
  }
  if (flag(options, 'print') || !terminal.interactive) {
    terminal.out(argv.join(' '));
    return;
  }
  // Within a tmux of the person's own, tmux refuses to be started again unless it does not know.
  const { TMUX: _, ...env } = environment.variables;
  const child = spawn(argv[0], argv.slice(1), { stdio: 'inherit', env });
  const [ended] = (await once(child, 'close')) as [number | null];
  if (ended === 0) return;
  const message = `tmux ended with status ${ended ?? 'unknown'}; ${name} runs on the machine "${plain(machine)}": is that this one?`;
  throw new CommandError('environment', message);
}

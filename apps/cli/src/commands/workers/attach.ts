/** `drover attach`: a person works in the worker's own terminal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { CommandError } from '../../exit-codes.ts';
import { socketWith } from '../../processes/tmux-servers.ts';
import { defineCommand } from '../../program/define.ts';
import { flag, required } from '../../program/spec.ts';
import { plain } from '../../terminal/style.ts';
import { workerByName } from './by-name.ts';

/** `drover attach`. */
export const command = defineCommand({
  about: "open a worker's terminal; Ctrl-b d leaves it",
  example: 'drover attach adam\n$(drover attach adam --print)',
  args: { worker: required('its name') },
  options: { print: flag('print the tmux command instead of running it') },
  async run(surroundings, { args: { worker: name }, options: { print } }) {
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
    // Where no server has the session, the first one is named: tmux then says what is wrong.
    const socket = socketWith(paths.runtimeDir, session) ?? path.join(paths.runtimeDir, 'tmux.sock');
    const argv = ['tmux', '-u', '-S', socket, 'attach-session', '-t', `=${session}`] as const;
    if (terminal.json) {
      terminal.out(JSON.stringify({ machine, argv }));
      return;
    }
    if (print || !terminal.interactive) {
      terminal.out(argv.join(' '));
      return;
    }
    // Inside a tmux of the person's own, tmux refuses to start again while TMUX is set.
    const { TMUX: _, ...env } = environment.variables;
    const child = spawn(argv[0], argv.slice(1), { stdio: 'inherit', env });
    const [ended] = (await once(child, 'close')) as [number | null];
    if (ended === 0) return;
    const message = `tmux ended with status ${ended ?? 'unknown'}; ${name} runs on the machine "${plain(machine)}": is that this one?`;
    throw new CommandError('environment', message);
  },
});

/** `drover attach`: a person works in the worker's own terminal, wherever its machine is. */
import path from 'node:path';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { socketWith } from '../../processes/tmux-servers.ts';
import { defineCommand } from '../../program/define.ts';
import { choice, flag, required } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { plain } from '../../terminal/style.ts';
import { runAtTerminal, sshWords, tmuxWords } from './attach/programs.ts';
import { workerByName } from './by-name.ts';

const WAYS = ['best', 'here', 'ssh', 'relay'] as const;

/** `drover attach`. */
export const command = defineCommand({
  about: "open a worker's terminal, on whichever machine it is; Ctrl-b d leaves it",
  example: 'drover attach adam\ndrover attach adam --watch\n$(drover attach adam --print)',
  args: { worker: required('its name') },
  options: {
    watch: flag('only look: what you type goes nowhere; for this the role viewer is enough'),
    via: choice('way', 'how the terminal is reached', WAYS),
    print: flag('print the command that opens it instead of running it'),
  },
  more: `best takes the first that works: here, with tmux on this machine; ssh, where the
machine has an address ("drover machines label NAME --address user@host"); relay,
through the coordinator, which asks for nothing but your token. here and ssh show
the pane as it is, with all that its program sends to a terminal. relay shows
text and colours, without secrets that Drover knows; the pane has the size of
your terminal until you leave. That you attached is in the audit, not what you type.`,
  async run(surroundings, { args: { worker: name }, options: { print, via, watch } }) {
    const { terminal } = surroundings;
    const { status, note, session, machine } = await workerByName(surroundings, name);
    if (status === 'offline')
      throw new CommandError(
        'refused',
        `${name} has no session (${note || 'offline'}): "drover why ${name}" explains it`,
      );
    const how = { types: !watch };
    const words =
      (await hereWords(surroundings, { via, session, how })) ?? (await wordsBySsh(surroundings, { name, via, how }));
    if (words !== null) {
      if (terminal.json) terminal.out(JSON.stringify({ machine, argv: words }));
      else if (print || !terminal.interactive) terminal.out(words.join(' '));
      else
        await runAtTerminal(
          surroundings,
          words,
          `${name} runs on the machine "${plain(machine)}"; "--via relay" goes through the coordinator`,
        );
      return;
    }
    if (print || terminal.json || !terminal.interactive) {
      const message = `The terminal of ${name} on "${plain(machine)}" goes through the coordinator: no command of another program opens it, and it needs a terminal. "drover logs ${name} --pane" prints it`;
      throw new CommandError('refused', message);
    }
    // Only then: it loads what speaks over WebSockets.
    const { attachByRelay } = await import('./attach/relay.ts');
    await attachByRelay(surroundings, { name, types: !watch });
  },
});

interface Wish {
  readonly via: (typeof WAYS)[number];
  readonly how: { readonly types: boolean };
}

/** Null: the session is not on this machine, or another way is wanted. @throws {CommandError} where it should be here. */
async function hereWords(
  { paths }: Surroundings,
  { via, session, how }: Wish & { readonly session: string },
): Promise<readonly string[] | null> {
  if (via !== 'best' && via !== 'here') return null;
  const socket = paths === null ? undefined : socketWith(paths.runtimeDir, session);
  if (socket !== undefined) return tmuxWords({ socket, session }, how);
  if (via === 'best') return null;
  // Where no server has the session, the first one is named: tmux then says what is wrong.
  if (paths !== null) return tmuxWords({ socket: path.join(paths.runtimeDir, 'tmux.sock'), session }, how);
  throw new CommandError(
    'usage',
    '"--via here" needs the Drover root of the machine agent: run it there, or leave it out',
  );
}

/** Null: no address is known, or another way is wanted. Who only watches needs none: the coordinator shows the pane to viewers. */
async function wordsBySsh(
  surroundings: Surroundings,
  { name, via, how }: Wish & { readonly name: string },
): Promise<readonly string[] | null> {
  if (via !== 'ssh' && (via !== 'best' || !how.types)) return null;
  const { machine, address, place } = await ask(surroundings, (client) => client.terminals.locate.mutate({ name }));
  if (address !== null && place !== null) return sshWords(address, place, how);
  if (via === 'best') return null;
  const way = `"drover machines label ${plain(machine)} --address user@host" says it`;
  throw new CommandError('refused', `No address of the machine "${plain(machine)}" is known for ssh: ${way}`);
}

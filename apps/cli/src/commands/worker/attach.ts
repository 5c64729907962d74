/** `drover attach`: opens the worker's own terminal for a person, wherever its machine is. */
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { sessionOf } from '../../processes/tmux-servers.ts';
import { defineCommand } from '../../program/define.ts';
import { choice, flag, required } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { plain } from '../../terminal/style.ts';
import { runAtTerminal, sshWords, tmuxWords } from './attach/programs.ts';
import { workerByName } from './by-name.ts';

const WAYS = ['best', 'here', 'ssh', 'relay'] as const;

export const command = defineCommand({
  about: 'open the terminal of a worker, see what it does',
  example: 'drover attach adam\ndrover attach adam --watch\n$(drover attach adam --print)',
  args: { worker: required('its name') },
  options: {
    watch: flag('only watch: your keys are not sent; the role viewer is enough'),
    via: choice('way', 'how to reach the terminal', WAYS),
    print: flag('print the command that opens it instead of running it'),
  },
  more: `The worker may be on any machine. Ctrl-b d leaves its terminal.

best takes the first that works: here, with tmux on this machine; ssh, where the
machine has an address ("drover machine label NAME --address user@host"); relay,
through the coordinator, which asks for nothing but your token. The pane has the
size of your terminal until you leave, but never less than 30x10; of several
people the one who typed last counts. here and ssh show all that its program
sends to a terminal, and there a watcher's terminal counts too. relay shows text
and colours, without secrets that Drover knows. That you attached is in the
audit, not what you type.`,
  async run(surroundings, { args: { worker: name }, options: { print, via, watch } }) {
    const { terminal } = surroundings;
    const { id, status, note, machine } = await workerByName(surroundings, name);
    if (status === 'offline')
      throw new CommandError(
        'refused',
        `${name} has no session (${note || 'offline'}): "drover why ${name}" explains it`,
      );
    const how = { types: !watch };
    const words =
      (await hereWords(surroundings, { name, id, via, how })) ?? (await wordsBySsh(surroundings, { name, via, how }));
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
      const message = `The terminal of ${name} on "${plain(machine)}" goes through the coordinator, so only this command can open it, in a terminal. "drover logs ${name} --pane" prints it`;
      throw new CommandError('refused', message);
    }
    // Loaded only then: the module loads the WebSocket client.
    const { attachByRelay } = await import('./attach/relay.ts');
    await attachByRelay(surroundings, { name, types: !watch });
  },
});

interface Wish {
  readonly via: (typeof WAYS)[number];
  readonly how: { readonly types: boolean };
}

/**
 * Returns the command for a session here. Null: the session is not on this machine, or another way is wanted. @throws
 * {CommandError} if it should be here.
 */
async function hereWords(
  { paths, environment }: Surroundings,
  { name, id, via, how }: Wish & { readonly name: string; readonly id: string },
): Promise<readonly string[] | null> {
  if (via !== 'best' && via !== 'here') return null;
  const place = paths === null ? undefined : await sessionOf({ runtimeDir: paths.runtimeDir, environment }, id);
  if (place !== undefined) return tmuxWords(place, how);
  if (via === 'best') return null;
  const why = `No tmux server of this ${paths === null ? 'user' : 'Drover root'} has the session of ${name}`;
  throw new CommandError('refused', `${why}: run the command where its machine agent runs, or leave "--via here" out`);
}

/**
 * Returns the command over ssh. Null: no address is known, or another way is wanted. A person who only watches needs
 * none: the coordinator shows the pane to viewers.
 */
async function wordsBySsh(
  surroundings: Surroundings,
  { name, via, how }: Wish & { readonly name: string },
): Promise<readonly string[] | null> {
  if (via !== 'ssh' && (via !== 'best' || !how.types)) return null;
  const { machine, address, place } = await ask(surroundings, (client) => client.terminals.locate.mutate({ name }));
  if (address !== null && place !== null) return sshWords(address, place, how);
  if (via === 'best') return null;
  const way = `set it with "drover machine label ${plain(machine)} --address user@host"`;
  throw new CommandError('refused', `The ssh address of the machine "${plain(machine)}" is not known: ${way}`);
}

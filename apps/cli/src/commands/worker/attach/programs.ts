/** Runs the programs to which `drover attach` gives the terminal: tmux on this machine, or ssh and tmux on the worker's. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { shellWord } from '@drover/core/shell-word';
import type { PanePlace } from '@drover/api';
import { CommandError } from '../../../exit-codes.ts';
import type { Surroundings } from '../../../surroundings.ts';

/** The place of a session. */
type Place = NonNullable<PanePlace['place']>;

/** Opens a session of this machine. Without `types` the keys of the person reach nothing; `-r` would also keep the pane from fitting. */
export function tmuxWords({ socket, session }: Place, { types }: { readonly types: boolean }): readonly string[] {
  return ['tmux', '-u', '-S', socket, 'attach-session', ...(types ? [] : ['-f', 'read-only']), '-t', `=${session}`];
}

/** Opens a session on a machine that ssh reaches. The remote shell parses the words, so each is shellWord; the address was checked when it was given. */
export function sshWords(address: string, place: Place, how: { readonly types: boolean }): readonly string[] {
  const { host, port } = partsOf(address);
  const words = tmuxWords(place, how).map(shellWord);
  return ['ssh', '-t', ...(port === null ? [] : ['-p', port]), '--', host, `exec ${words.join(' ')}`];
}

/** Splits an address; ssh takes an IPv6 address without its brackets. */
function partsOf(address: string): { readonly host: string; readonly port: string | null } {
  const [, user = '', name = address, port = null] = /^([^@]*@)?(\[[^\]]+\]|[^:]+)(?::(\d+))?$/u.exec(address) ?? [];
  return { host: `${user}${name.replace(/^\[(.*)\]$/u, '$1')}`, port };
}

/** Runs a program at this terminal until the program ends. @throws {CommandError} if it fails. */
export async function runAtTerminal(
  { environment }: Surroundings,
  [program = '', ...args]: readonly string[],
  advice: string,
): Promise<void> {
  // Inside a tmux of the person's own, tmux refuses to start again while TMUX is set.
  const { TMUX: _, ...env } = environment.variables;
  const child = spawn(program, args, { stdio: 'inherit', env });
  const failed = once(child, 'error').then(([error]: unknown[]) => {
    throw new CommandError('environment', `The program "${program}" cannot be run here: ${String(error)}`);
  });
  const [status] = (await Promise.race([once(child, 'close'), failed])) as [number | null];
  if (status === 0) return;
  throw new CommandError('environment', `${program} ended with status ${status ?? 'unknown'}; ${advice}`);
}

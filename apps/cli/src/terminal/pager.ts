/** Shows a long text in the user's pager on a terminal, as git does; elsewhere prints it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { renderText } from './style.ts';
import type { Surroundings } from '../surroundings.ts';

/** Exit status of a shell if there is no such program. */
const NOT_FOUND = 127;

/**
 * Shows a text by `DROVER_PAGER`, `PAGER` or `less`; prints it if it fits the screen or there is no terminal. The pager
 * gets the same text as the terminal: with `-R`, `less` shows colours, and there are none but Drover's own.
 */
export async function page({ terminal, environment }: Surroundings, text: string): Promise<void> {
  const { variables } = environment;
  const pager = variables['DROVER_PAGER'] ?? variables['PAGER'] ?? 'less';
  const fits = text.split('\n').length < terminal.rows;
  if (!terminal.interactive || fits || pager === 'cat') {
    terminal.out(text);
    return;
  }
  // The variable holds a command with its options, so a shell parses it, as with git and man.
  const child = spawn('/bin/sh', ['-c', pager], {
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS: 'FRX', ...variables },
  });
  child.stdin.on('error', () => {}); // the person left the pager before the end
  child.stdin.end(`${renderText(text)}\n`);
  const [status] = (await once(child, 'close')) as [number | null];
  if (status === NOT_FOUND) terminal.out(text);
}

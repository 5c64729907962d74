/** Asks the person at the terminal before something is done that cannot be undone. */
import { CommandError } from '../exit-codes.ts';
import type { Terminal } from './terminal.ts';

/**
 * Asks, unless it was answered beforehand.
 *
 * @param yes Whether `--yes` was given.
 * @throws {CommandError} `refused` for any other answer than "yes", and where there is no terminal to ask at.
 */
export async function confirm(
  question: string,
  { yes, terminal }: { yes: boolean; terminal: Terminal },
): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY || terminal.json)
    throw new CommandError('refused', `${question} Nothing was done: repeat with --yes if it is wanted`);
  const answer = await terminal.question(`${question} Type "yes" to go on: `);
  if (answer.trim() !== 'yes') throw new CommandError('refused', 'Nothing was done');
}

/**
 * Asks the person to type the name of what is removed, unless `--yes` was given beside that name.
 *
 * @throws {CommandError} `refused` for any other answer, and where there is no terminal to ask at.
 */
export async function confirmByName(
  question: string,
  { name, yes, terminal }: { name: string; yes: boolean; terminal: Terminal },
): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY || terminal.json)
    throw new CommandError('refused', `${question} Nothing was done: repeat with --yes if it is wanted`);
  const answer = await terminal.question(`${question}\nType its name, "${name}", to go on: `);
  if (answer.trim() !== name) throw new CommandError('refused', 'Nothing was done');
}

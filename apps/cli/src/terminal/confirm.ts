/** Asks the person at the terminal before an action that cannot be undone. */
import { CommandError } from '../exit-codes.ts';
import type { Terminal } from './terminal.ts';

/**
 * Asks, unless the person answered beforehand.
 *
 * @param yes True if `--yes` was given.
 * @throws {CommandError} `refused` for any other answer than "yes", and without a terminal to ask at.
 */
export async function confirm(
  question: string,
  { yes, terminal }: { yes: boolean; terminal: Terminal },
): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY || terminal.json)
    throw new CommandError('refused', `${question} Nothing was done: repeat with --yes to confirm`);
  const answer = await terminal.question(`${question} Type "yes" to continue: `);
  if (answer.trim() !== 'yes') throw new CommandError('refused', 'Nothing was done');
}

/**
 * Asks the person to type the name of the removed thing, unless `--yes` was given beside that name.
 *
 * @throws {CommandError} `refused` for any other answer, and without a terminal to ask at.
 */
export async function confirmByName(
  question: string,
  { name, yes, terminal }: { name: string; yes: boolean; terminal: Terminal },
): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY || terminal.json)
    throw new CommandError('refused', `${question} Nothing was done: repeat with --yes to confirm`);
  const answer = await terminal.question(`${question}\nType its name, "${name}", to continue: `);
  if (answer.trim() !== name) throw new CommandError('refused', 'Nothing was done');
}

/**
 * Asks the person to choose one of several actions, each with its meaning.
 *
 * @param refusal Thrown without a terminal to ask at: it names the option that answers beforehand.
 * @throws {CommandError} `refused` for any other answer.
 */
export async function choose<C extends string>(
  refusal: CommandError,
  { among, terminal }: { readonly among: Readonly<Record<C, string>>; readonly terminal: Terminal },
): Promise<C> {
  if (!process.stdin.isTTY || terminal.json) throw refusal;
  const choices = Object.entries<string>(among);
  const lines = choices.map(([choice, meaning]) => `  ${choice}: ${meaning}`);
  const names = choices.map(([choice]) => `"${choice}"`).join(' or ');
  const answer = (await terminal.question(`${refusal.message}\n${lines.join('\n')}\nType ${names}: `)).trim();
  const isKnown = (given: string): given is C => Object.hasOwn(among, given);
  if (!isKnown(answer)) throw new CommandError('refused', 'Nothing was done');
  return answer;
}

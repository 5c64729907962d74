/** Loads the commands that a call of `drover` needs: the typed command with its family, or all if help may be printed. */
import type { DefinedCommand } from '../program/define.ts';
import { COMMANDS, LISTS, pluralOf } from './index.ts';
import type { CommandName } from './index.ts';

/** A command with the words that call it. */
export interface LoadedCommand {
  readonly name: CommandName;
  readonly command: DefinedCommand;
}

const NAMES = Object.keys(COMMANDS) as readonly CommandName[];

/** @param first The first typed word. A word that names no command, such as `--help`, loads all commands. */
export async function loadCommands(first: string | undefined): Promise<readonly LoadedCommand[]> {
  if (first === '--version' || first === '-V') return [];
  const family = first === 'help' ? [] : NAMES.filter((name) => isCalledBy(name.split(' ')[0] ?? '', first));
  const names = family.length === 0 ? NAMES : family;
  return Promise.all(names.map(async (name) => ({ name, command: (await COMMANDS[name]()).command })));
}

function isCalledBy(word: string, first: string | undefined): boolean {
  return word === first || (LISTS.has(word) && pluralOf(word) === first);
}

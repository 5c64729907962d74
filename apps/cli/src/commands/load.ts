/** Loads the commands that a call of `drover` needs: the typed command with its family, or all if help may be printed. */
import type { DefinedCommand } from '../program/define.ts';
import { GROUPS } from './index.ts';
import type { CommandModule, CommandName } from './index.ts';

/** A command with its place in the help. */
export interface LoadedCommand {
  readonly group: string;
  readonly name: CommandName;
  readonly command: DefinedCommand;
}

interface Entry {
  readonly group: string;
  readonly name: CommandName;
  readonly load: () => Promise<CommandModule>;
}

const ENTRIES: readonly Entry[] = Object.entries(GROUPS).flatMap(([group, loaders]) =>
  Object.entries(loaders).map(([name, load]) => ({ group, name: name as CommandName, load })),
);

/** @param first The first typed word. A word that names no command, such as `--help`, loads all commands. */
export async function loadCommands(first: string | undefined): Promise<readonly LoadedCommand[]> {
  if (first === '--version' || first === '-V') return [];
  const family = ENTRIES.filter(({ name }) => name === first || name.startsWith(`${first ?? ''} `));
  const entries = family.length === 0 ? ENTRIES : family;
  return Promise.all(entries.map(async ({ group, name, load }) => ({ group, name, command: (await load()).command })));
}

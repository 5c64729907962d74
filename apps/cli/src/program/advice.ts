/**
 * Guesses the command or option that a person meant. Commander suggests words with a similar spelling; this file finds
 * the same word in another place.
 */
import { COMMANDS, LISTS, PARENTS, pluralOf } from '../commands/index.ts';
import type { CommandName } from '../commands/index.ts';
import type { LoadedCommand } from '../commands/load.ts';

/** Maximum number of suggestions: a longer list, such as every command that ends in `list`, does not help. */
const ADVICES_MAX = 3;

/** Adds to commander's message the probable meaning, in place of its own guess. */
export function withAdvice(said: string, commands: readonly LoadedCommand[]): string {
  const meant = [...new Set([...synonym(said), ...elsewhere(said), ...asOption(said, commands)])];
  if (meant.length === 0 || meant.length > ADVICES_MAX) return said;
  const known = said.replace(/\n\(Did you mean [^()]*\)/u, '').trimEnd();
  return `${known}\n(Did you mean ${meant.join(' or ')}?)\n`;
}

/** Words of other programs, by the command that does the same here. */
const MEANT: Readonly<Record<string, CommandName>> = {
  approve: 'accept',
  cage: 'help limits',
  cost: 'report',
  delete: 'nuke',
  diff: 'review',
  kill: 'cancel',
  limit: 'help limits',
  limits: 'help limits',
  list: 'worker',
  ls: 'worker',
  merge: 'accept',
  permissions: 'help limits',
  ps: 'status',
  rm: 'nuke',
  sandbox: 'help limits',
  send: 'message',
  setup: 'init',
  stop: 'cancel',
  tail: 'logs',
  tokens: 'auth token',
  undo: 'revert',
  usage: 'report',
  watch: 'attach',
};

function synonym(said: string): readonly string[] {
  const [, typed = ''] = /unknown command '([^']+)'/u.exec(said) ?? [];
  const command = Object.hasOwn(MEANT, typed) ? MEANT[typed] : undefined;
  return command === undefined ? [] : [`"drover ${command}"`];
}

/** Lists commands that end in the same word: `machine cordon` for `cordon`, `auth token` for `tokens`. */
function elsewhere(said: string): readonly string[] {
  const [, typed] = /unknown command '([^']+)'/u.exec(said) ?? [];
  if (typed === undefined) return [];
  const word = lastOf(typed);
  const names = Object.keys({ ...COMMANDS, ...PARENTS });
  return names
    .filter((name) => lastOf(name) === word || (LISTS.has(name) && pluralOf(lastOf(name)) === word))
    .map((name) => `"drover ${name}"`);
}

/** Suggests `--worker NAME`, if the command takes the name of a worker as an option. */
function asOption(said: string, commands: readonly LoadedCommand[]): readonly string[] {
  const [, word, argument] = /too many arguments for '([^']+)'.{0,200}got \d+: ([\w-]+)/u.exec(said) ?? [];
  const made = commands.find(({ name }) => lastOf(name) === word);
  return made !== undefined && 'worker' in made.command.options ? [`--worker ${argument ?? ''}`] : [];
}

function lastOf(path: string): string {
  return path.split(' ').at(-1) ?? '';
}

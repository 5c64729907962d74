/** What did a person mean whose command or argument is none? Commander knows similar words; here are those that stand elsewhere. */
import { GROUPS } from '../commands/index.ts';
import type { LoadedCommand } from '../commands/load.ts';

/** With more, such as every `list`, a person is helped by none. */
const ADVICES_MAX = 3;

/** What commander says of a mistake, and what was probably meant. */
export function withAdvice(said: string, commands: readonly LoadedCommand[]): string {
  const meant = [...elsewhere(said), ...asOption(said, commands)];
  if (meant.length === 0 || meant.length > ADVICES_MAX) return said;
  return `${said.trimEnd()}\n(Did you mean ${meant.join(' or ')}?)\n`;
}

/** `cordon` is a command of `machines`, and `apply` is none of `project`. */
function elsewhere(said: string): readonly string[] {
  const [, typed] = /unknown command '([^']+)'/u.exec(said) ?? [];
  if (typed === undefined) return [];
  const names = Object.values(GROUPS).flatMap((group) => Object.keys(group));
  return names.filter((name) => lastOf(name) === lastOf(typed)).map((name) => `"drover ${name}"`);
}

/** The name of a worker, where `--worker` says which one. */
function asOption(said: string, commands: readonly LoadedCommand[]): readonly string[] {
  const [, word, argument] = /too many arguments for '([^']+)'.*got \d+: ([\w-]+)/u.exec(said) ?? [];
  const made = commands.find(({ name }) => lastOf(name) === word);
  return made !== undefined && 'worker' in made.command.options ? [`--worker ${argument ?? ''}`] : [];
}

function lastOf(path: string): string {
  return path.split(' ').at(-1) ?? '';
}

/** Finds each `drover …` that a text quotes, and lists the parts that no command line of Drover accepts. */
import type { LoadedCommand } from '../../src/commands/load.ts';
import { LISTS, PARENTS } from '../../src/commands/index.ts';
import { dashed } from '../../src/program/define.ts';

/** Valid words after `drover`: each command with its options, and its need for arguments. */
export type Table = ReadonlyMap<string, { readonly options: ReadonlySet<string>; readonly takesArguments: boolean }>;

/** Makes the table of the CLI's own declarations. */
export function tableOf(commands: readonly LoadedCommand[]): Table {
  return new Map(
    commands.flatMap(({ name, command }) => {
      const known = Object.entries(command.options).flatMap(([option, { short, isNegated }]) => [
        `--${isNegated === true ? 'no-' : ''}${dashed(option)}`,
        ...(short === undefined ? [] : [`-${short}`]),
      ]);
      const entry = {
        options: new Set([
          ...known,
          '--json',
          '--color',
          '--help',
          '-h',
          ...(command.isList === true ? ['--quiet', '-q', '--wide'] : []),
        ]),
        takesArguments: Object.keys(command.args).length > 0,
      };
      return [[name, entry] as const, ...(LISTS.has(name) ? [[`${name} list`, entry] as const] : [])];
    }),
  );
}

/** Start of a command, of which a line may have several. After other words `drover` is a noun, or a part of a path: `this drover`, `bin/drover`. */
const QUOTED = /(?<opener>["'`]|\$\(|\n[ \t#]*|\\n|[:;,(|] | or | and |Run |run )(?:\$ )?drover (?=(?<rest>[^\n]*))/gu;

/** Lists quoted commands that do not exist, a line each. Line numbers count from 1. */
export function quotedProblems(text: string, table: Table): readonly string[] {
  return [...text.matchAll(QUOTED)].flatMap((found) => {
    const { opener = '', rest = '' } = found.groups ?? {};
    const typed = upToEnd(rest, opener);
    const problem = problemOf(typed, table, QUOTES.includes(opener));
    if (problem === null) return [];
    const line = text.slice(0, found.index + opener.length).split('\n').length;
    return [`${line}: "drover ${typed}": ${problem}`];
  });
}

/** Lists quoted commands, without `drover`. */
export function quotedCommands(text: string): readonly string[] {
  return [...text.matchAll(QUOTED)].map(({ groups: { opener = '', rest = '' } = {} }) => upToEnd(rest, opener));
}

/** Cuts the command: to the end of its quotation, of its line, or of its part of a pipe. Values in quotes are left out. */
function upToEnd(rest: string, opener: string): string {
  const own = QUOTES.includes(opener) ? [opener] : QUOTES;
  const values = QUOTES.filter((quote) => !own.includes(quote) && quote !== '`');
  let kept = rest;
  for (const quote of values) kept = kept.replaceAll(new RegExp(`(?<= )${quote}[^${quote}]*${quote}`, 'gu'), 'VALUE');
  const ends = [...own, '\\n', ' | ', ' > ', ' < ', ' && ', '; ', ', ', ')', ' #', ': ', '. ', ' ('];
  const end = Math.min(...ends.map((one) => kept.indexOf(one)).filter((at) => at >= 0), kept.length);
  return kept.slice(0, end).trim();
}

const QUOTES: readonly string[] = ['"', "'", '`'];

function problemOf(typed: string, table: Table, isQuoted: boolean): string | null {
  const words = typed.split(/\s+/u).map((word) => word.replace(/[.,:;?…\\]+$/u, ''));
  const [first = '', ...others] = words;
  if (!isWord(first)) return null;
  if (first === 'help' && !table.has(words.slice(0, 2).join(' '))) return problemOf(others.join(' '), table, isQuoted);
  const count = words.findIndex((_, index) => !isKnown(words.slice(0, index + 1).join(' '), table));
  const path = words.slice(0, count === -1 ? words.length : count).join(' ');
  if (path === '') return 'there is no such command';
  // A table of a page writes `policy show\|check\|diff`.
  const next = count === -1 ? '' : (words[count] ?? '');
  const missing = next.split(/\\?\|/u).find((word) => isWord(word) && !isKnown(`${path} ${word}`, table));
  const command = table.get(path);
  if (command === undefined) return missing === undefined ? null : `"${path}" has no command "${missing}"`;
  if (isQuoted && missing !== undefined && !command.takesArguments)
    return `"${path}" takes no argument, and has no command "${missing}"`;
  const wrong = words.find((word) => /^--?[a-z]/u.test(word) && !command.options.has(word.replace(/=.*$/u, '')));
  return wrong === undefined ? null : `"${path}" has no option ${wrong}`;
}

function isWord(word: string): boolean {
  return /^[a-z][a-z-]*$/u.test(word);
}

function isKnown(path: string, table: Table): boolean {
  return table.has(path) || Object.hasOwn(PARENTS, path);
}

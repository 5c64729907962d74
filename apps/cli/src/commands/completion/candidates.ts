/** Finds the words that may follow on a command line of `drover`. */
import { LISTS, pluralOf } from '../index.ts';
import type { CommandName } from '../index.ts';
import type { LoadedCommand } from '../load.ts';
import { dashed } from '../../program/define.ts';
import type { DefinedCommand, Options } from '../../program/define.ts';

/** Things whose names the coordinator knows. */
export type Subject =
  | 'checkpoint'
  | 'escalation'
  | 'gateway'
  | 'machine'
  | 'profile'
  | 'project'
  | 'queue'
  | 'token'
  | 'user'
  | 'webhook'
  | 'worker';

/** Reads the names of a kind; a failure is an empty list. */
export type LiveNames = (of: Subject) => Promise<readonly string[]>;

/** Keys of arguments and options that always mean the same. */
const BY_KEY: Readonly<Record<string, Subject>> = {
  gateway: 'gateway',
  home: 'machine',
  machine: 'machine',
  'validate-on': 'machine',
  profile: 'profile',
  project: 'project',
  worker: 'worker',
  workers: 'worker',
  checkpoint: 'checkpoint',
};

/** Subjects of `name` and `id` in the commands of a noun. */
const BY_NOUN: Readonly<Record<string, Subject>> = {
  answer: 'escalation',
  'auth token': 'token',
  cancel: 'worker',
  escalation: 'escalation',
  gateway: 'gateway',
  machine: 'machine',
  nuke: 'worker',
  profile: 'profile',
  project: 'project',
  queue: 'queue',
  user: 'user',
  webhook: 'webhook',
  worker: 'worker',
  'worker checkpoint': 'checkpoint',
};

/** Verbs whose name is a new one. */
const MAKES: ReadonlySet<string> = new Set(['add', 'create', 'join', 'invite']);

/**
 * @param words Words after `drover`, the unfinished one last.
 * @returns whole words that begin with the unfinished one.
 */
export async function candidates(
  commands: readonly LoadedCommand[],
  words: readonly string[],
  live: LiveNames,
): Promise<readonly string[]> {
  const unfinished = words.at(-1) ?? '';
  const found = await following(commands, words.slice(0, -1), { unfinished, live });
  return [...new Set(found)].filter((word) => word.startsWith(unfinished));
}

async function following(
  commands: readonly LoadedCommand[],
  typed: readonly string[],
  { unfinished, live }: { readonly unfinished: string; readonly live: LiveNames },
): Promise<readonly string[]> {
  const { path, others } = commandOf(commands, typed);
  if (path === '' && others.length > 0) return [];
  const called = commands.find(({ name }) => name === path)?.command;
  if (called === undefined) return [...subcommands(commands, path), ...(path === '' ? ['--help', '--version'] : [])];
  const { options } = called;
  const valued = Object.entries(options).find(
    ([name, { value }]) => value !== undefined && `--${dashed(name)}` === others.at(-1),
  );
  if (valued !== undefined) {
    const [name, { choices }] = valued;
    const of = BY_KEY[name];
    return choices ?? (of === undefined ? [] : live(of));
  }
  if (unfinished.startsWith('-')) return optionWords(called);
  const inner = others.length === 0 ? subcommands(commands, path) : [];
  const of = subjectAt(path, called, placedWords(others, options).length);
  return of === null ? inner : [...inner, ...(await live(of))];
}

/** Finds the longest name of a command, or of a word that holds others, at the start of the typed words. */
function commandOf(
  commands: readonly LoadedCommand[],
  typed: readonly string[],
): { readonly path: string; readonly others: readonly string[] } {
  let path = '';
  for (const [index, word] of typed.entries()) {
    const next = subcommands(commands, path).find((one) => one === word || isPluralOf(path, one, word));
    if (next === undefined) return { path, others: typed.slice(index) };
    if (next !== 'list') path = path === '' ? next : `${path} ${next}`;
  }
  return { path, others: [] };
}

function isPluralOf(path: string, one: string, word: string): boolean {
  return LISTS.has(path === '' ? one : `${path} ${one}`) && pluralOf(one) === word;
}

function subcommands(commands: readonly LoadedCommand[], path: string): readonly string[] {
  const start = path === '' ? '' : `${path} `;
  const names = commands.filter(({ name }) => name.startsWith(start)).map(({ name }) => name.slice(start.length));
  const words = names.map((name) => name.split(' ')[0] ?? '').filter((word) => word !== '');
  return LISTS.has(path as CommandName) ? ['list', ...words] : words;
}

function optionWords({ options, isList = false }: DefinedCommand): readonly string[] {
  const own = Object.entries(options).map(
    ([name, { isNegated = false }]) => `--${isNegated ? 'no-' : ''}${dashed(name)}`,
  );
  return [...own, '--json', ...(isList ? ['--quiet', '--wide'] : []), '--help'];
}

/** Returns the words that are arguments: neither options nor their values. */
function placedWords(others: readonly string[], options: Options): readonly string[] {
  return others.filter((word, index) => {
    if (word.startsWith('-')) return false;
    const before = others[index - 1];
    return !Object.entries(options).some(
      ([name, { value, short }]) =>
        value !== undefined && (before === `--${dashed(name)}` || (short !== undefined && before === `-${short}`)),
    );
  });
}

function subjectAt(path: string, { args }: DefinedCommand, index: number): Subject | null {
  const keys = Object.keys(args);
  const last = keys.at(-1);
  const key = keys[index] ?? (last !== undefined && args[last]?.kind === 'rest' ? last : undefined);
  if (key === undefined) return null;
  const words = path.split(' ');
  if (key !== 'name' && key !== 'id') return BY_KEY[key] ?? null;
  if (MAKES.has(words.at(-1) ?? '')) return null;
  const nouns = words.map((_, end) => words.slice(0, words.length - end).join(' '));
  return nouns.map((noun) => BY_NOUN[noun]).find((of) => of !== undefined) ?? null;
}

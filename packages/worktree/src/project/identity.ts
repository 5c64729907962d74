/**
 * Carries the identity with which git commits in the source to a worker's clone: a setting of the source's own, or an
 * `includeIf` for its directory, does not reach them otherwise. Only names and addresses are carried, no key and no wish to sign.
 */
import { type Git, git } from '../git/git.ts';
import { reading, writing } from '../git/revisions.ts';
import { retryLocked } from '../git/retry-locked.ts';
import { together } from '../git/together.ts';
import { KEEPER } from '../names.ts';
import { isRemoteUrl } from './remote.ts';

/** The author of commits, by the settings of git; absent where git has none. */
export interface Identity {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
}

const KEYS = ['user.name', 'user.email', 'author.name', 'author.email', 'committer.name', 'committer.email'] as const;
type Key = (typeof KEYS)[number];
type Settings = Partial<Record<Key, string>>;

/** Identity for a source without one, on a machine without one: agents can commit all the same. */
const FALLBACK: Settings = { 'user.name': KEEPER.name, 'user.email': KEEPER.email };

/** Characters of a name or an address that is carried; longer ones are no one's. */
const CHARS_MAX = 1_000;

/** A clone, and what it was made from. */
interface Cloned {
  readonly at: string;
  readonly source: string;
}

/**
 * Gives the clone the identity of its source, or of this machine where the source says none or is an address. Written for the clone
 * itself, because an agent in a cage does not see the settings of its machine. Safe to repeat, and beside other gits.
 *
 * @throws {GitError}
 */
export async function carryIdentity(context: Git, clone: Cloned): Promise<void> {
  const { own, found } = await settingsFor(context, clone);
  await write(context, `${clone.at}/.git/config`, { own, wanted: { ...FALLBACK, ...found } });
}

/** The identity that {@link carryIdentity} finds for a clone; absent what nobody has said. @throws {GitError} */
export async function findIdentity(context: Git, clone: Cloned): Promise<Identity> {
  return identityOf((await settingsFor(context, clone)).found);
}

/** Settings that the clone has of its own, and those that it should have. */
async function settingsFor(
  context: Git,
  { at, source }: Cloned,
): Promise<{ readonly own: Settings; readonly found: Settings }> {
  const [there, here] = await together([
    isRemoteUrl(source) ? Promise.resolve([]) : settingsIn(context, source),
    settingsIn(context, at),
  ]);
  const own = lastOf(here.filter(({ scope }) => scope === 'local'));
  const machine = lastOf(here.filter(({ scope }) => !OF_REPOSITORY.has(scope)));
  return { own, found: { ...machine, ...lastOf(there) } };
}

function identityOf(settings: Settings): Identity {
  return { name: settings['user.name'], email: settings['user.email'] };
}

async function write(
  context: Git,
  file: string,
  { own, wanted }: { readonly own: Settings; readonly wanted: Settings },
): Promise<void> {
  for (const key of KEYS) {
    if (own[key] === wanted[key]) continue;
    const value = wanted[key];
    const words = value === undefined ? ['--unset-all', key] : ['--replace-all', key, value];
    const call = { ...writing('/', `set ${key}`), allow: [NOTHING_TO_UNSET] };
    // The file is named, because an agent could have said in its clone that the settings are another repository's. Its own git may hold the lock.
    await retryLocked(() => git(context, ['config', '--file', file, ...words], call), { codes: ['locked', 'failed'] });
  }
}

/** Notes in a repository of Drover's own who commits on another machine. Nothing is written where it says so already. @throws {GitError} */
export async function keepIdentity(context: Git, at: string, { name, email }: Identity): Promise<void> {
  const said: readonly Setting[] = [
    { scope: 'local', key: 'user.name', value: name ?? '' },
    { scope: 'local', key: 'user.email', value: email ?? '' },
  ];
  const own = lastOf((await settingsIn(context, at)).filter(({ scope }) => scope === 'local'));
  await write(context, `${at}/config`, { own, wanted: lastOf(said) });
}

/** Reads the author of commits in a directory with a repository; absent what git does not know there. @throws {GitError} */
export async function readIdentity(context: Git, at: string): Promise<Identity> {
  return identityOf(lastOf(await settingsIn(context, at)));
}

/** The status of `git config --unset-all` where nothing is set. */
const NOTHING_TO_UNSET = 5;
/** Settings that somebody gave this repository alone. */
export const OF_REPOSITORY: ReadonlySet<string> = new Set(['local', 'worktree']);

interface Setting {
  readonly scope: string;
  readonly key: Key;
  readonly value: string;
}

/** Reads all values in the order in which git reads them: the last one counts. */
async function settingsIn(context: Git, at: string): Promise<readonly Setting[]> {
  const pattern = String.raw`^(user|author|committer)\.(name|email)$`;
  const args = ['config', '--null', '--show-scope', '--get-regexp', pattern];
  const { stdout } = await git(context, args, { ...reading(at, 'read who commits there'), allow: [1] });
  const words = stdout.split('\0');
  return words.flatMap((scope, index) => {
    // SCOPE NUL KEY LINE-BREAK VALUE NUL
    const [, key = '', value] = index % 2 === 1 ? [] : (/^([^\n]*)\n([^]*)$/u.exec(words[index + 1] ?? '') ?? []);
    const known = KEYS.find((one) => one === key);
    return known === undefined || value === undefined ? [] : [{ scope, key: known, value }];
  });
}

function lastOf(settings: readonly Setting[]): Settings {
  return Object.fromEntries(settings.filter(isUsable).map(({ key, value }) => [key, value]));
}

/** Git takes line breaks and brackets out of a name, and does not commit when nothing is left. */
function isUsable({ value }: Setting): boolean {
  return value.length <= CHARS_MAX && /[^\s.,:;<>"'\\]/u.test(value);
}

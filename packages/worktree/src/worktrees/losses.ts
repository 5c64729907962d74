/**
 * Finds work that would be lost with a worker's place. Such work lies not only on its branch: in files, in the stash,
 * on other branches and tags, on commits without a name, in repositories inside of it. Nothing is removed, moved or
 * merged without this list. (docs/proof/lost-work.md)
 */
import { type Git, git, gitText } from '../git/git.ts';
import { listHidden } from '../git/hidden.ts';
import { reading } from '../git/revisions.ts';
import { readStatus } from '../git/status.ts';
import { workerBranch } from '../names.ts';
import { listKeptIgnored } from './ignored.ts';
import { listLinked } from './linked.ts';

/** Work that is in no other place. */
export interface Losses {
  /** Paths with uncommitted changes; a repository inside counts as one. */
  readonly files: readonly string[];
  /** Ignored files that the project counts as work. */
  readonly ignored: readonly string[];
  /** Commits of HEAD and of the worker's branch that the default branch has not. */
  readonly commits: readonly string[];
  /** Other things that would be missed. */
  readonly others: readonly OtherLoss[];
  /** Commits that nothing names any more, such as one that was amended: they are kept, and stand in the way of nothing. */
  readonly unnamed: readonly string[];
}

/** Work beside the worker's branch. */
export type OtherLoss =
  | { readonly kind: 'stash'; readonly commit: string }
  | { readonly kind: 'ref'; readonly name: string; readonly commit: string }
  /** A repository inside, also a submodule: commits that none of its remotes has, and paths that are not committed. */
  | { readonly kind: 'repository'; readonly path: string; readonly commits: readonly string[]; readonly files: number }
  /** A worktree that the agent made of its clone, with paths that are not committed; its commits are the clone's. */
  | { readonly kind: 'worktree'; readonly path: string; readonly files: number }
  /** A changed file that git was told not to look at. */
  | { readonly kind: 'hidden'; readonly path: string };

/** Tells whether nothing would be missed. */
export function isNothing({ files, ignored, commits, others }: Losses): boolean {
  return [files, ignored, commits, others].every((one) => one.length === 0);
}

/** Says in words what would be lost; completes "it has …". */
export function tellLosses({ files, ignored, commits, others }: Losses): string {
  const parts = [
    ...(commits.length === 0
      ? []
      : [`${counted(commits.length, 'commit')} that ${commits.length === 1 ? 'is' : 'are'} not merged`]),
    ...(files.length === 0
      ? []
      : [`${counted(files.length, 'file')} that ${files.length === 1 ? 'is' : 'are'} not committed`]),
    ...(ignored.length === 0 ? [] : [`${counted(ignored.length, 'ignored file')} that "repo.keep" names`]),
    ...tellOthers(others),
  ];
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** Others that are named; the rest is counted. */
const NAMED_MAX = 5;

function tellOthers(others: readonly OtherLoss[]): readonly string[] {
  const stashes = others.filter(({ kind }) => kind === 'stash').length;
  const named = others.flatMap((one) => {
    if (one.kind === 'stash') return [];
    if (one.kind === 'worktree')
      return [`a worktree of its own in "${one.path}" with ${counted(one.files, 'changed file')}`];
    if (one.kind === 'hidden') return [`changes to "${one.path}" that git was told not to look at`];
    if (one.kind === 'ref') return [`work on "${one.name.replace(/^refs\/(heads\/)?/u, '')}"`];
    const inside = [
      ...(one.commits.length === 0 ? [] : [counted(one.commits.length, 'commit')]),
      ...(one.files === 0 ? [] : [counted(one.files, 'changed file')]),
    ];
    return [`a repository of its own in "${one.path}" with ${inside.join(' and ')} that no remote has`];
  });
  const more = named.length > NAMED_MAX ? [`${named.length - NAMED_MAX} more such`] : [];
  return [
    ...(stashes === 0 ? [] : [`${stashes === 1 ? '1 entry' : `${stashes} entries`} in its stash`]),
    ...named.slice(0, NAMED_MAX),
    ...more,
  ];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** A worker's place, and the commit of the default branch that must hold its work. */
interface Examined {
  readonly path: string;
  readonly worker: string;
  readonly base: string;
}

/** Looks everywhere in a place where git keeps work. Reads only. @throws {GitError} `not-a-repository`, … */
export async function findLosses(context: Git, { path: at, worker, base }: Examined): Promise<Losses> {
  const { changes } = await readStatus(context, at);
  const { named, logged } = await readTips(context, at);
  const branch = `refs/heads/${workerBranch(context, worker)}`;
  const onBranch = named.filter(({ name }) => name === 'HEAD' || name === branch).map(({ commit }) => commit);
  const commits = await beyond(context, at, { tips: onBranch, not: [base] });
  const all = await beyond(context, at, {
    tips: [...named.map(({ commit }) => commit), ...logged],
    not: [base, '--remotes'],
  });
  const seen = new Set(commits);
  const left = new Set(all.filter((commit) => !seen.has(commit)));
  const refs = named.filter(({ name, commit }) => name !== STASH && left.has(commit));
  const stashes = named.some(({ name }) => name === STASH) ? await readStashes(context, at) : [];
  const told = new Set([...refs.map(({ commit }) => commit), ...stashes]);
  return {
    files: changes.map((change) => change.path),
    ignored: (await listKeptIgnored(context, at)).map((change) => change.path),
    commits,
    others: [
      ...stashes.map((commit): OtherLoss => ({ kind: 'stash', commit })),
      ...refs.map(({ name, commit }): OtherLoss => ({ kind: 'ref', name, commit })),
      ...(await listHidden(context, at)).map((path): OtherLoss => ({ kind: 'hidden', path })),
      ...(await findInPlace(
        context,
        at,
        changes.map((change) => change.path),
      )),
    ],
    unnamed: logged.filter((commit) => left.has(commit) && !told.has(commit)),
  };
}

const STASH = 'refs/stash';

interface Tips {
  /** HEAD and all refs but those that remember a remote. */
  readonly named: readonly { readonly name: string; readonly commit: string }[];
  /** Commits that were once at one of them, as far as git remembers. */
  readonly logged: readonly string[];
}

async function readTips(context: Git, at: string): Promise<Tips> {
  const format = '--format=%(objectname) %(*objectname) %(objecttype) %(*objecttype) %(refname)';
  const text = await gitText(context, ['for-each-ref', format], reading(at, 'list its refs'));
  const named = text.split('\n').flatMap((line) => {
    // An absent field is an empty word.
    const [own = '', peeled = '', type = '', peeledType = '', ...name] = line.split(' ');
    const commit = peeledType === 'commit' ? peeled : type === 'commit' ? own : undefined;
    const ref = name.join(' ');
    return commit === undefined || ref.startsWith('refs/remotes/') ? [] : [{ name: ref, commit }];
  });
  const call = { ...reading(at, 'read where it was'), allow: [1, 128] };
  const head = (await gitText(context, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], call)).trim();
  const logs = await gitText(context, ['log', '--walk-reflogs', '--all', '--format=%H', '--no-show-signature'], call);
  const logged = new Set(logs.split('\n').filter((line) => line !== ''));
  return { named: [...(head === '' ? [] : [{ name: 'HEAD', commit: head }]), ...named], logged: [...logged] };
}

/** Commits to which the tips lead, and `not` does not. A tip whose objects are gone holds nothing. */
async function beyond(
  context: Git,
  at: string,
  { tips, not }: { readonly tips: readonly string[]; readonly not: readonly string[] },
): Promise<readonly string[]> {
  if (tips.length === 0) return [];
  const input = [...new Set(tips)].map((tip) => `${tip}\n`).join('');
  const args = ['rev-list', '--ignore-missing', '--stdin', '--not', ...not];
  const text = await gitText(context, args, { ...reading(at, 'compare its commits'), input });
  return text.split('\n').filter((line) => line !== '');
}

async function readStashes(context: Git, at: string): Promise<readonly string[]> {
  const args = ['log', '--walk-reflogs', '--format=%H', '--no-show-signature', STASH];
  const text = await gitText(context, args, reading(at, 'read its stash'));
  return text.split('\n').filter((line) => line !== '');
}

/** Repositories inside that hold work of their own: nested ones, submodules, and worktrees of the clone, wherever they are. */
async function findInPlace(context: Git, at: string, changed: readonly string[]): Promise<readonly OtherLoss[]> {
  const found: OtherLoss[] = [];
  const linked = await listLinked(context, at);
  for (const path of linked) {
    const { changes } = await readStatus(context, path);
    if (changes.length > 0) found.push({ kind: 'worktree', path: nameIn(at, path), files: changes.length });
  }
  const isLinked = new Set(linked.map((path) => nameIn(at, path)));
  const repositories = await repositoriesIn(context, at, changed);
  return [
    ...found,
    ...(await findInside(
      context,
      at,
      repositories.filter((path) => !isLinked.has(path)),
    )),
  ];
}

/** Work in these repositories inside, and in those inside of them. */
async function findInside(context: Git, at: string, paths: readonly string[]): Promise<readonly OtherLoss[]> {
  const found: OtherLoss[] = [];
  for (const path of paths) {
    const { commits, changed } = await readInside(context, `${at}/${path}`);
    if (commits.length > 0 || changed.length > 0)
      found.push({ kind: 'repository', path, commits, files: changed.length });
    const nested = await repositoriesIn(context, `${at}/${path}`, changed);
    found.push(
      ...(await findInside(
        context,
        at,
        nested.map((name) => `${path}/${name}`),
      )),
    );
  }
  return found;
}

/** The path from there, for what lies inside. */
function nameIn(at: string, path: string): string {
  return path.startsWith(`${at}/`) ? path.slice(at.length + 1) : path;
}

/** Paths inside that are repositories themselves. @throws {GitError} */
export async function repositoriesIn(context: Git, at: string, changed: readonly string[]): Promise<readonly string[]> {
  const args = ['ls-files', '-z', '--stage'];
  const { stdout } = await git(context, args, reading(at, 'list its submodules'));
  const links = stdout
    .split('\0')
    .flatMap((line) => (line.startsWith('160000 ') ? [line.slice(line.indexOf('\t') + 1)] : []));
  const untracked = changed.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1));
  const paths = [...new Set([...links, ...untracked])];
  const isThere = await Promise.all(paths.map((path) => context.files.stat(`${at}/${path}/.git`)));
  return paths.filter((_, index) => isThere[index] !== undefined);
}

/** Work in one repository inside: commits that none of its remotes has, and changed paths. @throws {GitError} */
export async function readInside(
  context: Git,
  at: string,
): Promise<{ readonly commits: readonly string[]; readonly changed: readonly string[] }> {
  const { changes } = await readStatus(context, at);
  const { named } = await readTips(context, at);
  const tips = named.map(({ commit }) => commit);
  return {
    commits: await beyond(context, at, { tips, not: ['--remotes'] }),
    changed: changes.map((change) => change.path),
  };
}

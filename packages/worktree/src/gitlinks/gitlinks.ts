/**
 * Checks commits of other repositories that work names and main does not (gitlinks, mode 160000). A merge brings only
 * the name of such a commit: it counts only where the address that `.gitmodules` names at that path has it.
 */
import type { Gitlink } from '@drover/core';
import { type Git, type GitCall, git, gitText } from '../git/git.ts';
import { type Depot, inDepot } from '../depot/place.ts';
import { hasCommit } from './ask.ts';
import { type Naming, readAddress } from './address.ts';
import { addressesIn } from './settings.ts';

/** Gitlink that the work names, with the addresses at its path. */
export interface NamedGitlink {
  readonly path: string;
  readonly commit: string;
  readonly addresses: readonly string[];
}

/** Gitlinks that are asked about at most: each is a call to another machine. */
const ASKED_MAX = 8;

/** Lists the gitlinks that a tree has and main at `base` has not, without asking anybody. @throws {GitError} */
export async function namedGitlinks(
  depot: Depot,
  { base, tree }: { readonly base: string; readonly tree: string },
): Promise<readonly NamedGitlink[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', `${base}^{tree}`, tree, '--'];
  const { stdout } = await git(depot.git, args, inDepot(depot, 'look for submodules'));
  const records = stdout.split('\0');
  const known = new Set<string>();
  const named: { path: string; commit: string }[] = [];
  for (let index = 0; index + 1 < records.length; index += 2) {
    const [before, after, was = '', is = ''] = (records[index] ?? '').slice(1).split(' ');
    if (before === GITLINK) known.add(was);
    if (after === GITLINK) named.push({ path: records[index + 1] ?? '', commit: is });
  }
  // Leaves out known commits: a gitlink that was moved to another path is as good as before.
  const fresh = named.filter(({ commit }) => !known.has(commit));
  if (fresh.length === 0) return [];
  const addresses = await addressesOf(depot, tree);
  return fresh.map(({ path, commit }) => {
    return { path, commit, addresses: addresses.filter(([at]) => at === path).map(([, url]) => url) };
  });
}

const GITLINK = '160000';

/** Git takes no symbolic link for the settings of submodules. */
async function addressesOf(depot: Depot, tree: string): ReturnType<typeof addressesIn> {
  const call: GitCall = inDepot(depot, 'read .gitmodules');
  const entry = await gitText(depot.git, ['ls-tree', '-z', tree, '--', '.gitmodules'], call);
  const [, blob] = /^100(?:644|755) blob ([0-9a-f]+)\t/u.exec(entry) ?? [];
  return blob === undefined ? [] : addressesIn(depot.git, call, blob);
}

/** Finds the gitlinks whose commit cannot be had, asking each address. Changes nothing. */
export async function lackingGitlinks(
  context: Git,
  named: readonly NamedGitlink[],
  naming: Naming,
): Promise<readonly Gitlink[]> {
  const asked = named.map((one, at) => judge(context, one, { ...naming, mayAsk: at < ASKED_MAX }));
  return (await Promise.all(asked)).filter((one) => one !== undefined);
}

async function judge(
  context: Git,
  { path, commit, addresses }: NamedGitlink,
  { mayAsk, ...naming }: Naming & { readonly mayAsk: boolean },
): Promise<Gitlink | undefined> {
  const [first, ...others] = [...new Set(addresses)];
  if (first === undefined) return { path, commit, address: null, found: 'nowhere', why: '' };
  const about = { path, commit, address: first.slice(0, SHOWN_CHARS_MAX) };
  // Refuses two addresses for one path: git does not promise which of them it takes.
  if (others.length > 0)
    return { ...about, found: 'nowhere', why: 'is named twice for this path, each time another one' };
  const address = readAddress(first, naming);
  if (address.kind === 'refused') return { ...about, found: 'nowhere', why: address.why };
  if (address.kind === 'unknown') return { ...about, found: 'unknown', why: address.why };
  if (!mayAsk) return { ...about, found: 'unknown', why: `was not asked: no more than ${ASKED_MAX} are` };
  const answer = await hasCommit(context, { address, commit, own: naming.own });
  return answer.kind === 'present' ? undefined : { ...about, found: answer.kind, why: answer.why };
}

/** Characters of an address in words. */
const SHOWN_CHARS_MAX = 300;

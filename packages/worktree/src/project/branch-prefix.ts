/** Finds branches in the place of workers' branches. Git can have `drover` or `drover/alba`, never both. */
import { branchesInTheWay, otherPrefixes } from '@drover/core';
import { type Git, git } from '../git/git.ts';
import { reading } from '../git/revisions.ts';
import { isRemoteUrl, outside, safeRemoteUrl } from './remote.ts';

/** The branch that is in the way, where it is, and a prefix that is free there; undefined: none of those that are offered. */
export interface PrefixTaken {
  readonly branch: string;
  readonly at: string;
  readonly free: string | undefined;
}

/** Looks into each place, a directory or an address. @returns undefined where nothing is in the way. @throws {GitError} */
export async function findPrefixTaken(
  context: Git,
  places: readonly string[],
  prefix: string,
): Promise<PrefixTaken | undefined> {
  const inTheWay = branchesInTheWay(prefix);
  const offered = otherPrefixes(prefix);
  const found = new Map<string, string>();
  for (const at of places)
    for (const branch of await branchesNamed(context, at, [...inTheWay, ...offered])) found.set(branch, at);
  const branch = inTheWay.find((name) => found.has(name));
  if (branch === undefined) return undefined;
  return { branch, at: found.get(branch) ?? '', free: offered.find((name) => !found.has(name)) };
}

/** Names the branch, and says what to do. */
export function tellPrefixTaken({ branch, at, free = 'another one' }: PrefixTaken, prefix: string): string {
  return `"${at}" has a branch "${branch}", and git can have no branch "${prefix}/NAME" beside it: set branch_prefix = "${free}" in [repo] of drover.toml, or rename that branch`;
}

/** Finds the names that are branches there. */
async function branchesNamed(context: Git, at: string, names: readonly string[]): Promise<readonly string[]> {
  const refs = names.map((name) => `refs/heads/${name}`);
  const { stdout } = isRemoteUrl(at)
    ? await git(context, ['ls-remote', '--', safeRemoteUrl(at), ...refs], outside(`ask "${at}" for its branches`))
    : await git(context, ['for-each-ref', '--format=%(objectname)\t%(refname)', ...refs], reading(at, 'list branches'));
  const there = new Set(stdout.split('\n').map((line) => line.slice(line.indexOf('\t') + 1)));
  return names.filter((_, index) => there.has(refs[index] ?? ''));
}

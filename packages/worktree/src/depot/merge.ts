/** Merges two commits by git's own rules alone, without files: what a repository says about merging does not count. */
import { git } from '../git/git.ts';
import { errorFromGit } from '../git/git-error.ts';
import { type Depot, inDepot } from './place.ts';
import { type MergeRequest, type Merged, mergeInFiles } from './merge-in-files.ts';

/** Exit status of git for an option that it does not know: `--write-tree` came with 2.38. */
const USAGE = 129;

/** @throws {GitError} when the two have no history in common, or git fails. */
export async function mergeTrees(depot: Depot, request: MergeRequest): Promise<Merged> {
  return (await mergeWithoutFiles(depot, request)) ?? mergeInFiles(depot, request);
}

/** The two may be names of refs here. @returns undefined where git is too old for it. @throws {GitError} */
export async function mergeWithoutFiles(depot: Depot, request: MergeRequest): Promise<Merged | undefined> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--messages', request.base, request.head];
  const call = { ...inDepot(depot, 'merge the work with the default branch'), allow: [1, 128, USAGE] };
  const { status, stdout, stderr } = await git(depot.git, args, call);
  if (status === USAGE) return undefined;
  if (status === 128) throw errorFromGit(`${call.action} in "${depot.at}"`, stderr);
  const { tree, files, clashes } = readMerge(stdout);
  if (status !== 0) return { kind: 'clash', files };
  return clashes.length === 0 ? { kind: 'merged', tree } : { kind: 'clash', files: clashes };
}

/** Prefix of the kind of a message about a clash. */
const CONFLICT = 'CONFLICT';

/**
 * The tree, the files with conflicts, an empty word, then the messages: how many files each names, these, its kind and its text. Some
 * git (2.39) calls a merge clean of which it says itself that a renamed file collides with another: its tree holds conflict markers.
 */
function readMerge(stdout: string): {
  readonly tree: string;
  readonly files: readonly string[];
  readonly clashes: readonly string[];
} {
  const words = stdout.split('\0');
  const end = words.indexOf('') === -1 ? words.length : words.indexOf('');
  const [tree = '', ...files] = words.slice(0, end).map((word) => word.trim());
  const clashes = new Set<string>();
  for (let at = end + 1; (words[at] ?? '') !== '';) {
    const after = at + 1 + Number(words[at]);
    if (words[after]?.startsWith(CONFLICT) === true) for (const path of words.slice(at + 1, after)) clashes.add(path);
    at = after + 2;
  }
  return { tree, files, clashes: [...clashes] };
}

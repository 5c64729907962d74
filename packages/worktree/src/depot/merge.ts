/** Merges two commits by git's own rules alone, without files: what a repository says about merging does not count. */
import { git } from '../git/git.ts';
import { errorFromGit } from '../git/git-error.ts';
import { type Depot, inDepot } from './place.ts';
import { type MergeRequest, type Merged, mergeInFiles } from './merge-in-files.ts';

/** What git answers to an option that it does not know: `--write-tree` came with 2.38. */
const USAGE = 129;

/** @throws {GitError} when the two have no history in common, or git fails. */
export async function mergeTrees(depot: Depot, request: MergeRequest): Promise<Merged> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', request.base, request.head];
  const call = { ...inDepot(depot, 'merge the work with the default branch'), allow: [1, 128, USAGE] };
  const { status, stdout, stderr } = await git(depot.git, args, call);
  if (status === USAGE) return mergeInFiles(depot, request);
  if (status === 128) throw errorFromGit(`${call.action} in "${depot.at}"`, stderr);
  const [tree = '', ...files] = stdout.split('\0').map((line) => line.trim());
  return status === 0 ? { kind: 'merged', tree } : { kind: 'clash', files: files.filter((path) => path !== '') };
}

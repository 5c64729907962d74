/** Merges two commits with a git older than 2.38, which needs files for it: in a repository of Drover's own on the depot's objects. */
import { type GitCall, git, gitText } from '../git/git.ts';
import { errorFromGit } from '../git/git-error.ts';
import { KEEPER } from '../names.ts';
import { type Depot, inDepot } from './place.ts';
import { clearIn } from './locks.ts';

/** The merged tree, or the files in which the two clash. */
export type Merged =
  | { readonly kind: 'merged'; readonly tree: string }
  | { readonly kind: 'clash'; readonly files: readonly string[] };

/** Commits of the depot to merge. */
export interface MergeRequest {
  readonly base: string;
  readonly head: string;
}

/** Attributes that override all that the commits say: files as they are, no program, git's own way of merging. */
const RAW = '* -text !eol -ident !filter !merge !conflict-marker-size !working-tree-encoding\n';

/** @throws {GitError} */
export async function mergeInFiles(depot: Depot, { base, head }: MergeRequest): Promise<Merged> {
  const { git: context, place } = depot;
  const at = `${place.directory}/merging`;
  const call = callIn(depot, at);
  try {
    await ensureRepository(depot, at);
    await git(context, ['checkout', '--quiet', '--force', '--detach', base], call);
    await git(context, ['clean', '--quiet', '-ffdx'], call);
    const args = ['merge', '--squash', '--no-commit', '--no-verify', head];
    const { status, stdout: said, stderr } = await git(context, args, { ...call, allow: [1, 128] });
    const { stdout } = await git(context, ['ls-files', '-z', '--unmerged'], call);
    const files = stdout
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => line.slice(line.indexOf('\t') + 1));
    if (files.length > 0) return { kind: 'clash', files: [...new Set(files)] };
    // Reads the messages, as in a merge without files: some git calls it clean, and says in words that files collide.
    const clashes = [
      ...said.matchAll(/^CONFLICT \(.*?\): (?:rename of .*? -> )?(.+?)(?: has content conflicts .*)?$/gmu),
    ];
    if (clashes.length > 0) return { kind: 'clash', files: [...new Set(clashes.map(([, path = '']) => path))] };
    if (status !== 0) throw errorFromGit(`${call.action} in "${at}"`, stderr);
    return { kind: 'merged', tree: await gitText(context, ['write-tree'], call) };
  } catch (error) {
    // Removes the directory, which holds nothing but this merge: the next merge begins with a new one.
    await context.files.rm(at);
    throw error;
  }
}

function callIn(depot: Depot, at: string): GitCall {
  const call = inDepot(depot, 'merge the work with the default branch');
  const person = {
    GIT_AUTHOR_NAME: KEEPER.name,
    GIT_AUTHOR_EMAIL: KEEPER.email,
    GIT_COMMITTER_NAME: KEEPER.name,
    GIT_COMMITTER_EMAIL: KEEPER.email,
  };
  return { ...call, at, env: { ...call.env, ...person, GIT_OBJECT_DIRECTORY: `${depot.at}/objects` } };
}

async function ensureRepository(depot: Depot, at: string): Promise<void> {
  const { files } = depot.git;
  await clearIn(files, `${at}/.git`);
  if ((await files.stat(`${at}/.git/info/attributes`)) !== undefined) return;
  await files.rm(at);
  const format = await gitText(depot.git, ['rev-parse', '--show-object-format'], inDepot(depot, 'read its format'));
  const args = ['init', '--quiet', '--template=', `--object-format=${format}`, '--', at];
  await git(depot.git, args, inDepot(depot, 'make a place for merges'));
  await files.mkdir(`${at}/.git/info`);
  await files.writeFile(`${at}/.git/info/attributes`, RAW);
}

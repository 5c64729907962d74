/**
 * Finds worktrees that an agent made of its own clone (`git worktree add`), as some programs do for their helpers.
 * Such worktrees lie anywhere, also where git ignores files, and the content of their files is in no other place.
 */
import { type Git, gitText } from '../git/git.ts';
import { reading } from '../git/revisions.ts';
import { listWorktrees } from './worktrees.ts';

/** Lists those that are there, as absolute paths. An agent can write the list: what does not belong to this clone is left out. @throws {GitError} */
export async function listLinked(context: Git, at: string): Promise<readonly string[]> {
  const { files } = context;
  // Returns early: nearly always there are no linked worktrees, and no git is asked.
  if ((await files.list(`${at}/.git/worktrees`)).length === 0) return [];
  const [, ...linked] = await listWorktrees(context, at);
  const own = await files.realpath(`${at}/.git`);
  const found: string[] = [];
  for (const { path } of linked)
    if ((await files.stat(`${path}/.git`))?.kind === 'file' && (await commonDirOf(context, path)) === own)
      found.push(path);
  return found;
}

async function commonDirOf(context: Git, path: string): Promise<string | undefined> {
  const args = ['rev-parse', '--path-format=absolute', '--git-common-dir'];
  return context.files.realpath(await gitText(context, args, { ...reading(path, 'see whose it is'), allow: [128] }));
}

/** Finds reasons for which a worktree holds work that the worker's branch has not: HEAD is elsewhere, or commits fail because they must be signed. */
import type { Astray } from '@drover/core';
import { type Git, git } from '../git/git.ts';
import { commitOf, isAncestor, reading } from '../git/revisions.ts';
import type { WorktreeFacts } from './facts.ts';

/** Says where HEAD is; undefined where it is on the branch, or a rebase is under way. @throws {GitError} */
export async function readAstray(
  context: Git,
  { path, branch: expected, facts }: { readonly path: string; readonly branch: string; readonly facts: WorktreeFacts },
): Promise<Astray | undefined> {
  const { branch, rebase, head } = facts;
  if (branch === expected || rebase !== undefined) return undefined;
  const at = await commitOf(context, path, `refs/heads/${expected}`);
  const holdsExpected = at === undefined || (await isAncestor(context, path, { ancestor: at, descendant: head }));
  return { branch: branch ?? null, expected, holdsExpected };
}

/** Tells whether commits that are made there must be signed. Drover's own calls say that theirs are not. @throws {GitError} */
export async function readSigning(context: Git, path: string): Promise<boolean> {
  const args = ['config', '--show-scope', '--type=bool', '--get-all', 'commit.gpgSign'];
  const { stdout } = await git(context, args, { ...reading(path, 'see whether commits are signed'), allow: [1, 128] });
  const said = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('command\t'));
  return said.at(-1)?.endsWith('\ttrue') ?? false;
}

/** Describes what a repository has, in a few words, so that a parcel for it can leave that out. */
import { type Git, gitText } from '../git/git.ts';
import { reading } from '../git/revisions.ts';

/** The commits that branches are at, the newest first: those of the default branch among them, as last fetched. @throws {GitError} */
export async function newestTips(
  context: Git,
  { repo, limit }: { readonly repo: string; readonly limit: number },
): Promise<readonly string[]> {
  const options = ['--sort=-committerdate', `--count=${limit}`, '--format=%(objectname)'];
  const args = ['for-each-ref', ...options, 'refs/remotes', 'refs/heads'];
  const lines = await gitText(context, args, { ...reading(repo, 'list its branches'), searchesUp: true });
  return [...new Set(lines.split('\n').filter((line) => line !== ''))];
}

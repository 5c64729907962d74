/** Refs of the archive that keep work: read, and dropped. */
import { type Git, git, gitText } from './git.ts';
import { commitsOf, reading, writing } from './revisions.ts';

/** Commit that Drover keeps on a ref. */
export interface Kept {
  readonly id: string;
  readonly ref: string;
  readonly commit: string;
  /** The subject of its message. */
  readonly reason: string;
  /** Epoch milliseconds. */
  readonly savedAt: number;
}

/** The first parent of a commit: for a save, the HEAD it was made at. @throws {GitError} */
export async function firstParent(context: Git, at: string, commit: string): Promise<string> {
  return gitText(context, ['rev-parse', '--verify', `${commit}^1`], reading(at, 'read what was saved'));
}

/** Lists those of the refs that are there, in their order. @throws {GitError} */
export async function keptOn(
  context: Git,
  at: string,
  refs: readonly string[],
): Promise<{ readonly ref: string; readonly commit: string }[]> {
  const commits = await commitsOf(context, at, refs);
  return refs.flatMap((ref, index) => {
    const commit = commits[index];
    return commit === undefined ? [] : [{ ref, commit }];
  });
}

/** The refs under a prefix that hold commits written by Drover, newest first. */
export async function listKept(context: Git, at: string, prefix: string): Promise<Kept[]> {
  const format = '--format=%(refname)%00%(objectname)%00%(committerdate:unix)%00%(contents:subject)';
  const text = await gitText(context, ['for-each-ref', format, `${prefix}/`], reading(at, `list ${prefix}`));
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [ref = '', commit = '', seconds = '0', reason = ''] = line.split('\0');
      return { id: ref.slice(ref.lastIndexOf('/') + 1), ref, commit, reason, savedAt: Number(seconds) * 1000 };
    })
    .sort((a, b) => b.savedAt - a.savedAt || (a.id < b.id ? 1 : -1));
}

/** Deletes refs in one step, each only if it still holds the commit that was read. @throws {GitError} */
export async function deleteRefs(
  context: Git,
  at: string,
  refs: readonly { readonly ref: string; readonly commit: string }[],
): Promise<void> {
  if (refs.length === 0) return;
  const input = refs.map(({ ref, commit }) => `delete ${ref}\0${commit}\0`).join('');
  await git(context, ['update-ref', '--stdin', '-z'], { ...writing(at, 'delete refs'), input });
}

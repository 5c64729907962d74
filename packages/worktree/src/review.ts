/** What did a worker do since the default branch? Diff, statistics and commits for a reviewer. */
import { DEADLINES_MS, type Git, git } from './git.ts';
import { safeRevision } from './names.ts';
import { reading } from './revisions.ts';

/** A worktree and the branch its work is compared with. */
export interface ReviewRange {
  readonly path: string;
  readonly base: string;
}

/** The change of one file. Lines are undefined for binary files. */
export interface FileStat {
  readonly path: string;
  /** The old name of a renamed file. */
  readonly from: string | undefined;
  readonly added: number | undefined;
  readonly deleted: number | undefined;
}

/** One commit ahead of the default branch. */
export interface CommitFacts {
  readonly commit: string;
  readonly subject: string;
  readonly author: { readonly name: string; readonly email: string };
  /** Epoch milliseconds. */
  readonly committedAt: number;
}

/** Bytes of a diff shown to a reviewer: some 15,000 lines, more than anybody reads in one go. */
export const DIFF_BYTES_MAX = 1024 * 1024;
/** Commits listed for a review. */
export const COMMITS_LISTED_MAX = 200;

const PLAIN_DIFF = ['--no-ext-diff', '--no-textconv', '--no-color', '--find-renames', '--submodule=short'];

/** The committed change since the branches parted, as a unified diff. `cut` when it was longer than `maxBytes`. */
export async function diff(
  context: Git,
  { path, base, maxBytes = DIFF_BYTES_MAX }: ReviewRange & { readonly maxBytes?: number },
): Promise<{ readonly text: string; readonly cut: boolean }> {
  const prefixes = ['--src-prefix=a/', '--dst-prefix=b/'];
  const call = { ...reading(path, 'read the diff'), timeoutMs: DEADLINES_MS.write };
  const answer = await git(context, ['diff', ...PLAIN_DIFF, ...prefixes, range(base), '--'], {
    ...call,
    maxOutputBytes: maxBytes,
    mayCut: true,
  });
  return { text: answer.stdout, cut: answer.cut };
}

/** The changed files of {@link diff} with their numbers of lines. */
export async function stat(context: Git, { path, base }: ReviewRange): Promise<FileStat[]> {
  const args = ['diff', ...PLAIN_DIFF, '--numstat', '-z', range(base), '--'];
  const { stdout } = await git(context, args, { ...reading(path, 'count the changes'), timeoutMs: DEADLINES_MS.write });
  return parseNumstat(stdout);
}

/** Parses `--numstat -z`: a renamed file has an empty name followed by the old and the new one. Pure. */
export function parseNumstat(text: string): FileStat[] {
  const records = text.split('\0');
  const stats: FileStat[] = [];
  for (let index = 0; index < records.length; index += 1) {
    const [added, deleted, ...name] = (records[index] ?? '').split('\t');
    if (added === undefined || deleted === undefined) continue;
    const counts = { added: count(added), deleted: count(deleted) };
    const path = name.join('\t');
    if (path !== '') stats.push({ path, from: undefined, ...counts });
    else {
      stats.push({ path: records[index + 2] ?? '', from: records[index + 1], ...counts });
      index += 2;
    }
  }
  return stats;
}

function count(text: string): number | undefined {
  return text === '-' ? undefined : Number(text);
}

/** The commits ahead of the default branch, newest first, at most {@link COMMITS_LISTED_MAX}. */
export async function commits(context: Git, { path, base }: ReviewRange): Promise<CommitFacts[]> {
  const format = '--format=%H%x00%an%x00%ae%x00%ct%x00%s%x00';
  const args = ['log', format, `--max-count=${COMMITS_LISTED_MAX}`, `${safeRevision(base)}..HEAD`, '--'];
  const { stdout } = await git(context, args, reading(path, 'list the commits'));
  const fields = stdout.split('\0');
  const list: CommitFacts[] = [];
  for (let index = 0; index + 4 < fields.length; index += 5) {
    const [commit = '', name = '', email = '', seconds = '0', subject = ''] = fields.slice(index, index + 5);
    list.push({ commit: commit.trim(), subject, author: { name, email }, committedAt: Number(seconds) * 1000 });
  }
  return list;
}

function range(base: string): string {
  return `${safeRevision(base)}...HEAD`;
}

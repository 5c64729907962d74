/** Finds ignored files that a build needs and no commit carries, and copies them to a worktree. */
import type { Git } from '../git/git.ts';
import { isRemoteUrl } from '../project/remote.ts';
import { listIgnored } from './ignored.ts';

interface CopiedFile {
  readonly path: string;
  readonly sizeBytes: number;
}

/** A file that was not copied, and why. */
export interface RefusedFile {
  readonly path: string;
  readonly reason: 'symlink' | 'not-a-file' | 'behind-a-symlink' | 'too-large';
}

/** Outcome of {@link copyFiles}. `unmatched` holds the patterns that matched no ignored file. */
export interface CopyReport {
  readonly copied: readonly CopiedFile[];
  readonly refused: readonly RefusedFile[];
  readonly unmatched: readonly string[];
}

/** Bytes of one copied file: configuration and fixtures, not build caches or data sets. */
const COPY_FILE_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Copies ignored files of the source into the worktree, over older copies. The globs are git's own (`*`, `**`,
 * `?`, `[…]`) and match only files that git ignores, so tracked files cannot be overwritten and nothing outside
 * the repository can be named. Symbolic links are refused on both sides.
 *
 * @throws {GitError}
 */
export async function copyFiles(
  context: Git,
  {
    source,
    worktree,
    patterns,
  }: { readonly source: string; readonly worktree: string; readonly patterns: readonly string[] },
): Promise<CopyReport> {
  return eachMatch(context, { source, patterns }, (path) => copyOne(context, { source, worktree, path }));
}

/**
 * Reports what {@link copyFiles} would do with a worktree that holds nothing in the way: the same report, and nothing
 * is copied. @throws {GitError}
 */
export async function findCopyFiles(
  context: Git,
  { source, patterns }: { readonly source: string; readonly patterns: readonly string[] },
): Promise<CopyReport> {
  return eachMatch(context, { source, patterns }, (path) => judgeOne(context, { source, path }));
}

async function eachMatch(
  context: Git,
  { source, patterns }: { readonly source: string; readonly patterns: readonly string[] },
  take: (path: string) => Promise<CopiedFile | RefusedFile>,
): Promise<CopyReport> {
  const copied = new Map<string, CopiedFile>();
  const refused = new Map<string, RefusedFile>();
  const unmatched: string[] = [];
  // A repository elsewhere has commits alone.
  if (isRemoteUrl(source)) return { copied: [], refused: [], unmatched: patterns };
  for (const pattern of patterns) {
    const paths = await listIgnored(context, source, [pattern]);
    if (paths.length === 0) unmatched.push(pattern);
    for (const path of paths) {
      if (copied.has(path) || refused.has(path)) continue;
      const result = await take(path);
      if ('reason' in result) refused.set(path, result);
      else copied.set(path, result);
    }
  }
  return { copied: [...copied.values()], refused: [...refused.values()], unmatched };
}

async function judgeOne(
  context: Git,
  { source, path }: { source: string; path: string },
): Promise<CopiedFile | RefusedFile> {
  const facts = await context.files.stat(`${source}/${path}`);
  if (facts?.kind === 'link') return { path, reason: 'symlink' };
  if (facts?.kind !== 'file') return { path, reason: 'not-a-file' };
  if (facts.size > COPY_FILE_BYTES_MAX) return { path, reason: 'too-large' };
  return { path, sizeBytes: facts.size };
}

async function copyOne(
  context: Git,
  { source, worktree, path }: { source: string; worktree: string; path: string },
): Promise<CopiedFile | RefusedFile> {
  const judged = await judgeOne(context, { source, path });
  if ('reason' in judged) return judged;
  if (await leadsThroughSymlink(context, { root: worktree, path })) return { path, reason: 'behind-a-symlink' };
  const target = `${worktree}/${path}`;
  await context.files.mkdir(target.slice(0, target.lastIndexOf('/')));
  await context.files.copy(`${source}/${path}`, target);
  return judged;
}

/** Tells whether the target or a directory above it, inside the worktree, is a link that could lead outside. */
export async function leadsThroughSymlink(
  context: Git,
  { root, path }: { root: string; path: string },
): Promise<boolean> {
  let place = root;
  for (const part of path.split('/')) {
    place = `${place}/${part}`;
    const facts = await context.files.stat(place);
    if (facts === undefined) return false;
    if (facts.kind === 'link') return true;
  }
  return false;
}

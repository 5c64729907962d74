/** Changes that are too large, or too many, to be written into git each time that work is saved. */
import type { FileChange } from '../git/status.ts';
import type { GitFiles } from '../git/on-host.ts';

/** Limits of one save. */
export interface CheckpointLimits {
  /** Bytes of one file. */
  readonly fileBytesMax: number;
  /** Bytes in all. */
  readonly totalBytesMax: number;
  /** Untracked files. */
  readonly filesMax: number;
}

/**
 * Limits of a checkpoint: changed files of at most 50 MiB each and 200 MiB in all, and 20,000 that are untracked.
 * Measured on two shared cores: 13 MB/s for content that does not compress, so that a checkpoint at the limit takes
 * some 16 s; 0.2 s for 20 changes among 20,000 files.
 */
export const CHECKPOINT_LIMITS: CheckpointLimits = {
  fileBytesMax: 50 * 1024 * 1024,
  totalBytesMax: 200 * 1024 * 1024,
  filesMax: 20_000,
};

/** Files looked at side by side. */
const AT_ONCE = 64;

/** Changes beyond the limits. */
export interface Oversize {
  /** The large files, then the largest until the rest fits. */
  readonly files: readonly string[];
  /** Directories with many untracked files and no tracked one that changed, then the fullest until the rest fits. */
  readonly directories: readonly string[];
}

interface Measured {
  readonly at: string;
  readonly changes: readonly FileChange[];
  readonly limits: CheckpointLimits;
}

/** Looks at changes under a directory. */
export async function findOversize(files: GitFiles, { at, changes, limits }: Measured): Promise<Oversize> {
  const directories = crowded(changes, limits.filesMax);
  const rest = changes.filter(({ path }) => !isBelow(path, directories));
  const paths = rest.map(({ path }) => path);
  return { files: await tooLarge(files, { at, paths, limits }), directories: [...directories] };
}

/** Tells whether a path lies below one of the directories. */
export function isBelow(path: string, directories: ReadonlySet<string>): boolean {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
    if (directories.has(path.slice(0, end))) return true;
  return false;
}

function crowded(changes: readonly FileChange[], filesMax: number): ReadonlySet<string> {
  const untracked = changes.filter(({ kind }) => kind === 'untracked');
  const chosen = new Set<string>();
  let left = untracked.length;
  if (left <= filesMax) return chosen;
  const counts = new Map<string, number>();
  for (const { path } of untracked) {
    const directory = parentOf(path);
    if (directory !== '') counts.set(directory, (counts.get(directory) ?? 0) + 1);
  }
  for (const { path, kind } of changes)
    if (kind !== 'untracked')
      for (let above = parentOf(path); above !== ''; above = parentOf(above)) counts.delete(above);
  for (const [directory, count] of [...counts].toSorted(([, one], [, other]) => other - one)) {
    if (left <= filesMax) break;
    chosen.add(directory);
    left -= count;
  }
  return chosen;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

async function tooLarge(
  files: GitFiles,
  { at, paths, limits }: { readonly at: string; readonly paths: readonly string[]; readonly limits: CheckpointLimits },
): Promise<string[]> {
  const sizes: { path: string; bytes: number }[] = [];
  for (let from = 0; from < paths.length; from += AT_ONCE) {
    const batch = paths.slice(from, from + AT_ONCE).map(async (path) => {
      const facts = await files.stat(`${at}/${path}`);
      return { path, bytes: facts?.kind === 'file' ? facts.size : 0 };
    });
    sizes.push(...(await Promise.all(batch)));
  }
  let total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const skipped: string[] = [];
  for (const { path, bytes } of sizes.toSorted((one, other) => other.bytes - one.bytes)) {
    if (bytes <= limits.fileBytesMax && total <= limits.totalBytesMax) break;
    skipped.push(path);
    total -= bytes;
  }
  return skipped;
}

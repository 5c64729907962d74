/** Which changed files are too large to be saved every minute? */
import type { Files } from './ports.ts';

/** How much one checkpoint holds, in bytes. */
export interface CheckpointLimits {
  readonly fileBytesMax: number;
  readonly totalBytesMax: number;
}

/**
 * One checkpoint holds changed files of at most 50 MiB each and 500 MiB in all. Measured at about 25 MB/s for content
 * that does not compress, so that a checkpoint at the limit takes 20 s and one of usual size well under one.
 */
export const CHECKPOINT_LIMITS: CheckpointLimits = {
  fileBytesMax: 50 * 1024 * 1024,
  totalBytesMax: 500 * 1024 * 1024,
};

/** Files looked at side by side. */
const AT_ONCE = 64;

/** The paths, under a directory, that go beyond the limits: the large ones, then the largest until the rest fits. */
export async function tooLarge(
  files: Files,
  { at, paths, limits }: { readonly at: string; readonly paths: readonly string[]; readonly limits: CheckpointLimits },
): Promise<string[]> {
  const sizes: { path: string; bytes: number }[] = [];
  for (let from = 0; from < paths.length; from += AT_ONCE) {
    const batch = paths.slice(from, from + AT_ONCE).map(async (path) => {
      const facts = await files.stat(`${at}/${path}`);
      return { path, bytes: facts?.kind === 'file' ? facts.sizeBytes : 0 };
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

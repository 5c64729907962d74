/** Which changed files are too large to be saved every minute? */
import type { Files } from '../ports.ts';

/** How much one checkpoint holds, in bytes. */
export interface CheckpointLimits {
  readonly fileBytesMax: number;
  readonly totalBytesMax: number;
}

/**
 * One checkpoint holds changed files of at most 50 MiB each and 200 MiB in all. Measured on two shared cores: 13 MB/s for
 * content that does not compress, so that one at the limit takes some 16 s; 0.2 s for 20 changes among 20,000 files.
 */
export const CHECKPOINT_LIMITS: CheckpointLimits = {
  fileBytesMax: 50 * 1024 * 1024,
  totalBytesMax: 200 * 1024 * 1024,
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

/** Reads git's list of commits whose history is cut off: their parents were never fetched. */
import type { Git } from './git.ts';

/** Bytes of such a list: more than any that `--depth` makes. */
const SHALLOW_BYTES_MAX = 1024 * 1024;

/** Lists the commits that a file `shallow` of a git directory names; none where there is no such file. */
export async function readShallow({ files }: Git, file: string): Promise<readonly string[]> {
  const text = (await files.readFile(file, { maxBytes: SHALLOW_BYTES_MAX })) ?? '';
  return text.split('\n').filter((line) => /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/u.test(line));
}

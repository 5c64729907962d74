/** Tells whether a file that git takes for binary is a text with a zero byte in it, which would hide it from a reviewer. */
import { type Git, type GitCall, git } from '../git/git.ts';

/** Bytes at most of a file that is read, and the number of such files: a larger file, or one beyond the number, is binary. */
const READ_BYTES_MAX = 4 * 1024 * 1024;
const READ_FILES_MAX = 100;
/** Characters of a text per odd one, at least: machine code and compressed data have more odd ones, by far. */
const TEXT_PER_ODD = 3;
// oxlint-disable-next-line no-control-regex -- they are what texts do not hold
const ODD = /[\u0000-\u0008\u000e-\u001f\u007f\ufffd]/g;

/** States of a file by their objects; null where there is none. */
interface BlobPair {
  readonly ids: readonly [before: string | null, after: string | null];
}

/** The sizes of objects in bytes, by id. @throws {GitError} */
export async function sizesOf(
  context: Git,
  call: GitCall,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const input = ids.map((id) => `${id}\n`).join('');
  const { stdout } = await git(context, ['cat-file', '--batch-check=%(objectname) %(objectsize)'], { ...call, input });
  return new Map(
    stdout.split('\n').map((line) => {
      const [id = '', size] = line.split(' ');
      return [id, Number(size)];
    }),
  );
}

/** Finds the pairs in which whatever is there reads as text. @throws {GitError} */
export async function textsAmong<Pair extends BlobPair>(
  context: Git,
  call: GitCall,
  { pairs, sizes }: { readonly pairs: readonly Pair[]; readonly sizes: ReadonlyMap<string, number> },
): Promise<readonly Pair[]> {
  const isSmall = (id: string | null): boolean => id === null || (sizes.get(id) ?? Infinity) <= READ_BYTES_MAX;
  const small = pairs.filter(({ ids }) => ids.every(isSmall)).slice(0, READ_FILES_MAX);
  const texts: Pair[] = [];
  for (const pair of small) {
    const ids = pair.ids.filter((id) => id !== null);
    const areText = [];
    for (const id of ids) areText.push(await readsAsText(context, call, id));
    if (areText.every(Boolean)) texts.push(pair);
  }
  return texts;
}

async function readsAsText(context: Git, call: GitCall, id: string): Promise<boolean> {
  const limits = { maxOutputBytes: READ_BYTES_MAX + 4, mayCut: true };
  const { stdout } = await git(context, ['cat-file', 'blob', id], { ...call, ...limits });
  return (stdout.match(ODD)?.length ?? 0) * TEXT_PER_ODD <= stdout.length;
}

/**
 * Files that differ for git as soon as it has written them: `.gitattributes` asks for line ends, or for content that Git LFS keeps, and the
 * commit has the file as it was before. Their bytes are those of the commit, so there is no work in them, and no reset makes them clean.
 */
import { type Git, type GitCall, git } from './git.ts';

/** A file whose content alone differs, and its blob in the index. */
export interface Unstaged {
  readonly path: string;
  readonly blob: string;
}

/** Attributes by which git writes a file into a commit in another way than it lies in the worktree. */
const CONVERTING = ['text', 'eol', 'crlf', 'ident', 'filter', 'working-tree-encoding'];

/**
 * Lists the paths whose bytes are those of the index. Runs one process for most repositories, two where attributes
 * convert one of the files.
 *
 * @param call The call that found the files. @throws {GitError}
 */
export async function listUnchanged(
  context: Git,
  call: GitCall,
  unstaged: readonly Unstaged[],
): Promise<ReadonlySet<string>> {
  const converted = await convertedAmong(context, call, unstaged);
  if (converted.length === 0) return new Set();
  const input = converted.map(({ path }) => `${path}\n`).join('');
  // A file that is gone meanwhile ends it.
  const { status, stdout } = await git(context, ['hash-object', '--no-filters', '--stdin-paths'], {
    ...call,
    action: 'compare changed files with the commit',
    input,
    allow: [128],
  });
  if (status !== 0) return new Set();
  const blobs = stdout.split('\n');
  return new Set(converted.filter(({ blob }, index) => blobs[index] === blob).map(({ path }) => path));
}

async function convertedAmong(
  context: Git,
  call: GitCall,
  unstaged: readonly Unstaged[],
): Promise<readonly Unstaged[]> {
  // hash-object reads one path from each line.
  const plain = unstaged.filter(({ path }) => !path.includes('\n') && !path.startsWith('"'));
  if (plain.length === 0) return [];
  const { stdout } = await git(context, ['check-attr', '-z', '--stdin', ...CONVERTING], {
    ...call,
    action: 'read the attributes of changed files',
    input: plain.map(({ path }) => `${path}\0`).join(''),
  });
  const fields = stdout.split('\0');
  const converted = new Set<string>();
  for (let index = 0; index + 2 < fields.length; index += 3)
    if (!['unspecified', 'unset'].includes(fields[index + 2] ?? '')) converted.add(fields[index] ?? '');
  return plain.filter(({ path }) => converted.has(path));
}

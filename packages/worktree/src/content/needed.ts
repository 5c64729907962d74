/** Finds the content that new commits need beside git, because Git LFS keeps it. Reads the commits themselves, in a depot. */
import { type Git, type GitCall, git } from '../git/git.ts';
import { type Pointer, readPointer, LFS_POINTER_BYTES_MAX } from '../review/lfs-pointer.ts';
import { type Depot, inDepot } from '../depot/place.ts';

/** The content of one file, and a path that has it. */
export interface Content extends Pointer {
  readonly path: string;
}

/** Commits on top of each other: those after `base`, up to `commit`. */
interface Range {
  readonly base: string;
  readonly commit: string;
}

/**
 * Lists the content that the commits need and `base` does not, each once. Runs one process where the project does not
 * use Git LFS. @throws {GitError}
 */
export async function neededContent(depot: Depot, range: Range): Promise<readonly Content[]> {
  if (!(await givesFilesToLfs(depot, range.commit))) return [];
  const added = await addedFiles(depot, range);
  const pointers = await pointersAmong(depot, [...new Set(added.map(({ blob }) => blob))]);
  if (pointers.size === 0) return [];
  const [kept, fresh] = [await pathsOfLfs(depot, { commit: range.commit, added }), await newBlobs(depot, range)];
  const found = new Map<string, Content>();
  for (const { blob, path } of added) {
    if (!kept.has(path) || !fresh.has(blob)) continue;
    for (const pointer of pointers.get(blob) ?? []) found.set(pointer.sha256, { ...pointer, path });
  }
  return [...found.values()];
}

const ACTION = 'look for files that Git LFS keeps';

async function givesFilesToLfs(depot: Depot, commit: string): Promise<boolean> {
  const args = ['grep', '--quiet', '--fixed-strings', '-e', 'filter=lfs', commit, '--', ':(glob,top)**/.gitattributes'];
  const { status } = await git(depot.git, args, { ...inDepot(depot, ACTION), allow: [1] });
  return status === 0;
}

interface Added {
  readonly blob: string;
  readonly path: string;
}

/** Plain files that a commit adds or changes. */
async function addedFiles(depot: Depot, { base, commit }: Range): Promise<readonly Added[]> {
  const args = [
    'log',
    '--raw',
    '-z',
    '--no-renames',
    '--no-abbrev',
    '--diff-filter=AMT',
    '--format=',
    '--no-show-signature',
  ];
  const { stdout } = await git(depot.git, [...args, `${base}..${commit}`, '--'], inDepot(depot, ACTION));
  const parts = stdout.split('\0');
  const found: Added[] = [];
  for (let index = 0; index < parts.length; index += 1) {
    const [, blob] = /^\n*:\d{6} 100(?:644|755) [0-9a-f]+ ([0-9a-f]+) [AMT]$/u.exec(parts[index] ?? '') ?? [];
    if (!/^\n*:\d{6} /u.test(parts[index] ?? '')) continue;
    index += 1;
    if (blob !== undefined) found.push({ blob, path: parts[index] ?? '' });
  }
  return found;
}

/** Blobs whose contents are read in one process. */
const READ_AT_ONCE = 4_096;

/** Finds the pointers among blobs. A pointer that one blob gives is only added to those of another, so no content is overlooked. */
async function pointersAmong(depot: Depot, blobs: readonly string[]): Promise<ReadonlyMap<string, readonly Pointer[]>> {
  const small = await smallBlobs(depot, blobs);
  const found = new Map<string, Pointer[]>();
  for (let from = 0; from < small.length; from += READ_AT_ONCE) {
    const input = lines(small.slice(from, from + READ_AT_ONCE));
    const { stdout } = await git(depot.git, ['cat-file', '--batch'], { ...inDepot(depot, ACTION), input });
    for (const { 0: header, 1: blob = '', 2: bytes, index } of stdout.matchAll(/^([0-9a-f]{40,64}) blob (\d+)\n/gmu)) {
      const begin = index + header.length;
      const pointer = readPointer(stdout.slice(begin, begin + Number(bytes)));
      if (pointer !== null) found.set(blob, [...(found.get(blob) ?? []), pointer]);
    }
  }
  return found;
}

async function smallBlobs(depot: Depot, blobs: readonly string[]): Promise<readonly string[]> {
  const args = ['cat-file', '--batch-check=%(objectname) %(objectsize)'];
  const { stdout } = await git(depot.git, args, { ...inDepot(depot, ACTION), input: lines(blobs) });
  return stdout.split('\n').flatMap((line) => {
    const [blob = '', bytes = ''] = line.split(' ');
    return bytes !== '' && Number(bytes) < LFS_POINTER_BYTES_MAX ? [blob] : [];
  });
}

/** Paths that the attributes of the commit give to Git LFS. */
async function pathsOfLfs(
  depot: Depot,
  { commit, added }: { readonly commit: string; readonly added: readonly Added[] },
): Promise<ReadonlySet<string>> {
  const { files } = depot.git;
  const index = `${depot.at}/attributes.index`;
  const call = { ...inDepot(depot, ACTION), env: { ...inDepot(depot, ACTION).env, GIT_INDEX_FILE: index } };
  try {
    await git(depot.git, ['read-tree', commit], call);
    return await filtered(depot.git, { call, paths: [...new Set(added.map(({ path }) => path))] });
  } finally {
    await files.rm(index);
  }
}

async function filtered(
  context: Git,
  { call, paths }: { readonly call: GitCall; readonly paths: readonly string[] },
): Promise<ReadonlySet<string>> {
  const input = paths.map((path) => `${path}\0`).join('');
  const { stdout } = await git(context, ['check-attr', '--cached', '-z', '--stdin', 'filter'], { ...call, input });
  const parts = stdout.split('\0');
  return new Set(parts.filter((_, at) => at % 3 === 0 && parts[at + 2] === 'lfs'));
}

/** Small blobs of the commits that are nowhere in `base`: what main has already, it has with its content. */
async function newBlobs(depot: Depot, { base, commit }: Range): Promise<ReadonlySet<string>> {
  const filter = `--filter=blob:limit=${LFS_POINTER_BYTES_MAX}`;
  const args = ['rev-list', '--objects', filter, commit, `^${base}`, '--'];
  const { stdout } = await git(depot.git, args, inDepot(depot, ACTION));
  return new Set(stdout.split('\n').map((line) => line.split(' ', 1)[0] ?? ''));
}

function lines(names: readonly string[]): string {
  return names.map((name) => `${name}\n`).join('');
}

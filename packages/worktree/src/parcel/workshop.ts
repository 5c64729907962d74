/** A bare repository of Drover's own beside another one: it reads that one's objects, and nothing else of it. */
import { type Git, gitText, type GitCall } from '../git/git.ts';
import { together } from '../git/together.ts';
import { reading } from '../git/revisions.ts';
import { refComponent, safeDirectory } from '../names.ts';

/**
 * Settings that bound git's memory, whatever the repository holds: larger files are streamed and not compared with one
 * another. The repository is a draft, which need not survive a power cut.
 */
const FRUGAL = [
  'core.fsync=none',
  'core.bigFileThreshold=16m',
  'core.deltaBaseCacheLimit=32m',
  'core.packedGitWindowSize=16m',
  'core.packedGitLimit=64m',
  'pack.windowMemory=32m',
  'pack.deltaCacheSize=32m',
  'pack.threads=1',
] as const;

/** Milliseconds for packing or checking the largest parcel: a gibibyte on a slow disk. */
const LARGE_MS = 900_000;

/** Path of the repository for work of this id. @throws {GitError} `bad-name`. */
export function workshopIn(spool: string, work: 'pack' | 'unpack', id: string): string {
  return `${safeDirectory(spool)}/${work}-${refComponent(id)}`;
}

/** Facts that git gives of the repository beside it. */
export interface Beside {
  /** The directory of its objects, absolute. */
  readonly objects: string;
  /** The format of its ids: `sha1` or `sha256`. */
  readonly format: string;
  readonly isShallow: boolean;
}

/** Reads the repository beside, with one git. @throws {GitError} `bad-name`, `not-a-repository`. */
export async function readBeside(context: Git, repo: string): Promise<Beside> {
  const questions = ['--is-shallow-repository', '--show-object-format', '--path-format=absolute', '--git-path'];
  const call = { ...reading(safeDirectory(repo), 'find its objects'), searchesUp: true };
  const text = await gitText(context, ['rev-parse', ...questions, 'objects'], call);
  const [isShallow, format = '', objects = ''] = text.split('\n');
  return { objects, format: refComponent(format), isShallow: isShallow === 'true' };
}

/**
 * Makes the repository at `path`, with these refs. Existing content is removed first: a killed process left it. The
 * few files of the repository are written here, because a git that starts for them takes longer than all of them.
 */
export async function makeWorkshop(
  { files }: Git,
  path: string,
  { objects, format, refs = [] }: Beside & { readonly refs?: readonly { name: string; commit: string }[] },
): Promise<void> {
  await files.rm(path);
  await files.mkdir(`${path}/objects/info`);
  await together([
    files.mkdir(`${path}/refs`),
    files.writeFile(`${path}/HEAD`, 'ref: refs/heads/unborn\n'),
    files.writeFile(`${path}/config`, `${CONFIG}\tobjectFormat = ${format}\n`),
    files.writeFile(`${path}/objects/info/alternates`, `${objects}\n`),
    files.writeFile(`${path}/packed-refs`, refs.map(({ name, commit }) => `${commit} ${name}\n`).join('')),
  ]);
}

/** The form that every git since 2.29 reads, for both formats of ids. */
const CONFIG = `[core]
	repositoryFormatVersion = 1
	bare = true
[extensions]
`;

/** Options of a call that packs or checks a parcel. */
export function frugally(at: string, action: string): GitCall {
  return { at, action, timeoutMs: LARGE_MS, config: FRUGAL };
}

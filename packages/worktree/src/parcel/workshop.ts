/** A bare repository of Drover's own beside another one: it reads that one's objects, and nothing else of it. */
import { type Git, git, gitText, type GitCall } from '../git/git.ts';
import { reading, writing } from '../git/revisions.ts';
import { refComponent, safeDirectory } from '../names.ts';

/**
 * Settings that bound what git takes of memory, whatever the repository holds: larger files are streamed and not compared with one
 * another.
 */
const FRUGAL = [
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

/** Where work of this id has its repository. @throws {GitError} `bad-name`. */
export function workshopIn(spool: string, work: 'pack' | 'unpack', id: string): string {
  return `${safeDirectory(spool)}/${work}-${refComponent(id)}`;
}

/** Makes the repository at `path`. What is there is removed first: a killed process left it. @throws {GitError} */
export async function makeWorkshop(
  context: Git,
  path: string,
  { repo }: { readonly repo: string },
): Promise<{ readonly objects: string }> {
  const words = ['rev-parse', '--path-format=absolute', '--git-path', 'objects', '--show-object-format'];
  const [objects = '', format = 'sha1'] = (
    await gitText(context, words, { ...reading(repo, 'find its objects'), searchesUp: true })
  ).split('\n');
  await context.files.rm(path);
  await context.files.mkdir(path);
  await git(
    context,
    ['init', '--quiet', '--bare', '--template=', `--object-format=${format}`],
    writing(path, 'make a repository'),
  );
  await context.files.mkdir(`${path}/objects/info`);
  await context.files.writeFile(`${path}/objects/info/alternates`, `${objects}\n`);
  return { objects };
}

/** Options of a call that packs or checks a parcel. */
export function frugally(at: string, action: string): GitCall {
  return { at, action, timeoutMs: LARGE_MS, config: FRUGAL };
}

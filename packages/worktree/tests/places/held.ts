/** Content that places of a yard and its archive hold, by the names of git's blobs and of Git LFS. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Of, type Yard } from '../support.ts';

/**
 * The worktree itself, a repository inside of it, one inside of that, a worktree of the clone that git ignores, a submodule, one inside of
 * that, a shallow clone and a partial one.
 */
export const PLACES = ['.', 'fe', 'fe/lib', 'build/wt', 'vendor', 'vendor/deep', 'shallow', 'partial'] as const;

/** Tells whether something is at a path. */
export const exists = async (yard: Yard, at: string): Promise<boolean> => (await yard.git.files.stat(at)) !== undefined;

/** Lists what git has in a place and in those inside of it, by name or in its memory, and what lies there and is not ignored. */
export async function contentOf(yard: Yard, root = yard.worktree): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  if (!(await exists(yard, join(root, '.git')))) for (const blob of await filesIn(yard, root)) found.add(blob);
  const inside = await Promise.all(PLACES.map((place) => contentAt(yard, join(root, place))));
  for (const one of inside) for (const name of one) found.add(name);
  return found;
}

/** Lists what one repository has, and what lies there. Nobody knows any more of a worktree whose clone lost its git. */
async function contentAt(yard: Yard, at: string): Promise<readonly string[]> {
  if (!(await exists(yard, join(at, '.git')))) return [];
  if ((await yard.sh(at, 'rev-parse', '--show-toplevel').catch(() => '')) !== at) return [];
  const [blobs, staged, large, listed, flagged] = await Promise.all([
    blobsOf(yard, at, '--reflog', '--missing=allow-any'),
    stagedIn(yard, at),
    largeIn(join(at, '.git')),
    yard.sh(at, '-c', 'core.quotePath=false', 'ls-files', '--others', '--modified', '--exclude-standard'),
    yard.sh(at, '-c', 'core.quotePath=false', 'ls-files', '-v'),
  ]);
  const found = [...blobs, ...staged, ...large];
  const hidden = flagged.split('\n').flatMap((line) => (/^[a-zS] /u.test(line) ? [line.slice(2)] : []));
  const paths = [...new Set([...listed.split('\n'), ...hidden])].filter((path) => path !== '' && !path.endsWith('/'));
  for (const path of paths) {
    if ((await yard.git.files.stat(join(at, path)))?.kind !== 'file') continue;
    found.push(await yard.sh(at, 'hash-object', path));
    if (path.endsWith('.bin')) found.push(`lfs ${await sha256Of(join(at, path))}`);
  }
  return found;
}

/** Lists blobs only, and so counts the content of commits and trees: an annotation of a tag on merged work is none of it. */
async function blobsOf({ sh }: Yard, at: string, ...more: readonly string[]): Promise<readonly string[]> {
  const only = ['--filter=object:type=blob', '--filter-provided-objects'];
  const text = await sh(at, 'rev-list', '--objects', '--no-object-names', ...only, '--all', ...more);
  return text.split('\n').filter((one) => one !== '');
}

/** Lists what git has in a place, and every file that lies there, ignored or not. */
export async function allIn(yard: Yard): Promise<ReadonlySet<string>> {
  return new Set([...(await contentOf(yard)), ...(await filesIn(yard, yard.worktree))]);
}

/** The files under a directory, without those of git. */
async function filesIn({ git, source }: Yard, at: string): Promise<readonly string[]> {
  const found = await git.run('find', [at, '-name', '.git', '-prune', '-o', '-type', 'f', '-print'], LIMIT);
  const args = ['-C', source, 'hash-object', '--no-filters', '--stdin-paths'];
  const { stdout } = await git.run('git', args, { ...LIMIT, input: found.stdout });
  const blobs = stdout.split('\n').filter((one) => one !== '');
  const paths = found.stdout.split('\n');
  for (const [index, blob] of blobs.entries())
    if (paths[index]?.endsWith('.bin') === true) LARGE.set(blob, `lfs ${await sha256Of(paths[index])}`);
  return blobs;
}

/** Names by which Git LFS has what lay as plain files where there was no git. */
const LARGE = new Map<string, string>();

const LIMIT = { timeoutMs: 20_000 };

/** The content that Git LFS has in a git directory, or in any below the place. */
async function largeIn(at: string): Promise<readonly string[]> {
  const entries = await readdir(at, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.flatMap(({ parentPath, name }) =>
    /\/lfs\/objects\/..\/..$/u.test(parentPath) ? [`lfs ${name}`] : [],
  );
}

async function stagedIn({ sh }: Yard, at: string): Promise<readonly string[]> {
  const lines = (await sh(at, 'ls-files', '--stage')).split('\n');
  return lines.flatMap((line) => (line.startsWith('100') ? [line.split(' ')[1] ?? ''] : []));
}

/** Blobs that Drover keeps, or that the source has. */
export async function keptBy(yard: Yard): Promise<ReadonlySet<string>> {
  const libraries = ['library', 'deep'].map((name) => join(yard.dir, name));
  const isThere = await exists(yard, join(yard.dir, 'library'));
  const places = [yard.archive, yard.source, ...(isThere ? libraries : [])];
  const kept = await Promise.all(places.map((at) => blobsOf(yard, at)));
  const home = join(yard.root, '.worktrees');
  const beside = (await readdir(home).catch(() => [])).filter((name) => name.startsWith('.'));
  const aside = await Promise.all(beside.map((name) => contentOf(yard, join(home, name))));
  const stores = [yard.archive, join(yard.source, '.git'), ...beside.map((name) => join(home, name))];
  const large = await Promise.all(stores.map(largeIn));
  return new Set([...kept, ...aside, ...large].flatMap((blobs) => [...blobs]));
}

/** Lists previous content that is neither kept nor there. */
export async function findLost(
  yard: Yard,
  before: ReadonlySet<string>,
  there: ReadonlySet<string> = new Set(),
): Promise<readonly string[]> {
  const kept = await keptBy(yard);
  const isHeld = (one: string): boolean => kept.has(one) || there.has(one);
  return [...before].filter((one) => !isHeld(one) && !isHeld(LARGE.get(one) ?? one));
}

/** Plays a machine that sends parcels as git would make them, and lies about their content. */
import { execFileSync } from 'node:child_process';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ParcelFile } from '../../src/index.ts';
import { type Yard, sha256Of } from '../support.ts';

/** Lies of a machine that says it sends a commit on main. */
export const LIES = [
  'a tree with a file named .git',
  'a tree that names a file twice',
  'another commit than it says',
  'a commit that does not stand on main',
] as const;

type Lie = (typeof LIES)[number];

/** Acts of a liar. */
export interface Liar {
  /** A sound parcel with the same commits, and more. */
  repack(path: string): Promise<string>;
  /** A parcel, the commit that it says is in it, and the one that is. */
  tell(
    lie: Lie,
    base: string,
  ): Promise<{ readonly file: ParcelFile; readonly commit: string; readonly inside: string }>;
}

/** Makes a liar with a repository of its own, which fetches main when it lies. */
export async function makeLiar(yard: Yard): Promise<Liar> {
  const at = join(yard.dir, 'liar.git');
  await yard.sh(yard.dir, 'init', '-q', '--bare', at);
  await mkdir(join(yard.dir, 'lies'));
  let count = 0;
  const path = (): string => join(yard.dir, 'lies', `parcel-${(count += 1)}`);
  const git = (args: readonly string[], input = ''): string =>
    execFileSync('git', ['-C', at, ...args], { input, encoding: 'utf8', stdio: 'pipe', env: WHO }).trim();
  const treeOf: Readonly<Record<Lie, (blob: string) => string>> = {
    'a tree with a file named .git': (blob) => git(['mktree'], `100644 blob ${blob}\t.git\n`),
    'a tree that names a file twice': (blob) => git(['mktree'], `100644 blob ${blob}\ta\n100644 blob ${blob}\ta\n`),
    'another commit than it says': (blob) => git(['mktree'], `100644 blob ${blob}\ta\n`),
    'a commit that does not stand on main': (blob) => git(['mktree'], `100644 blob ${blob}\ta\n`),
  };
  return {
    async repack(original) {
      await yard.sh(at, 'fetch', '-q', yard.source, '+refs/heads/main:refs/heads/main');
      // Fetches whatever it builds on from the clone.
      await yard.sh(at, 'fetch', '-q', yard.worktree, '+refs/heads/*:refs/clone/*');
      for (const depot of ['depot', 'home-depot'])
        await yard.sh(at, 'fetch', '-q', join(yard.dir, depot, 'depot.git'), '+refs/*:refs/theirs/*').catch(() => '');
      await yard.sh(at, 'fetch', '-q', original, '+refs/parcel/*:refs/parcel/*');
      const more = git(['commit-tree', git(['mktree']), '-m', `more ${count}`]);
      git(['update-ref', 'refs/parcel/more', more]);
      const to = path();
      git(['bundle', 'create', '-q', to, 'refs/parcel/work', 'refs/parcel/more']);
      return to;
    },
    async tell(lie, base) {
      await yard.sh(at, 'fetch', '-q', yard.source, '+refs/heads/main:refs/heads/main');
      const tree = treeOf[lie](git(['hash-object', '-w', '--stdin'], `lie ${(count += 1)}`));
      const isOff = lie === 'a commit that does not stand on main';
      const commit = git(['commit-tree', tree, ...(isOff ? [] : ['-p', base]), '-m', 'a lie']);
      git(['update-ref', 'refs/parcel/work', commit]);
      const to = path();
      git(['bundle', 'create', '-q', to, 'refs/parcel/work', ...(isOff ? [] : [`^${base}`])]);
      const { size: bytes } = await stat(to);
      const told =
        lie === 'another commit than it says' ? git(['commit-tree', tree, '-p', base, '-m', 'told']) : commit;
      return { file: { path: to, sha256: await sha256Of(to), bytes }, commit: told, inside: commit };
    },
  };
}

const WHO = {
  PATH: process.env['PATH'],
  GIT_CONFIG_NOSYSTEM: '1',
  HOME: '/nonexistent',
  ...Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, 'Eve'],
      [`GIT_${who}_EMAIL`, 'eve@example.org'],
    ]),
  ),
};

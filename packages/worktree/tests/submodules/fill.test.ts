/** Tests that submodules in a worker's place are filled, or named, without running anything that `.gitmodules` says. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { beginTask, bump, fill, makeLibraries, remove } from './stand.ts';

test('given a source with submodules and no network, when a place is filled, then nested ones are there too, git is clean, and they stand in the way of no removal', async () => {
  await using yard = await makeLibraries();
  await rm(join(yard.dir, 'remotes'), { recursive: true });

  const lacking = await fill(yard);

  expect(lacking).toEqual([]);
  expect(await yard.read(yard.worktree, 'vendor/lib/lib.txt')).toBe('lib');
  expect(await yard.read(yard.worktree, 'vendor/lib/deep/deep.txt')).toBe('deep');
  expect(await yard.sh(yard.worktree, 'status', '--porcelain', '--ignored')).toBe('');
  expect(await yard.sh(yard.worktree, 'submodule', 'status', '--recursive')).not.toMatch(/^[-+U]/mu);
  expect(await yard.sh(join(yard.worktree, 'vendor/lib'), 'config', 'remote.origin.url')).toBe(
    join(yard.dir, 'remotes/lib.git'),
  );
  expect(await remove(yard)).toEqual({ kind: 'removed', trash: [] });
});

test('given a submodule that nobody has, when a place is filled, then it is named with its address, and git is clean', async () => {
  await using yard = await makeLibraries();
  await yard.sh(yard.source, 'submodule', '--quiet', 'deinit', '--all', '--force');
  await rm(join(yard.source, '.git/modules'), { recursive: true });
  await rm(join(yard.dir, 'remotes/lib.git'), { recursive: true });

  const lacking = await fill(yard);

  expect(lacking).toEqual([{ path: 'vendor/lib', why: expect.stringMatching(/^address is not there$/u) }]);
  expect(await yard.sh(yard.worktree, 'status', '--porcelain')).toBe('');
});

test('given a main with a newer submodule, when the next task begins, then the submodule follows, and was nobody’s change', async () => {
  await using yard = await makeLibraries();
  await fill(yard);
  const commit = await bump(yard, { 'new.txt': 'n' });

  const kind = await beginTask(yard);

  expect(kind).toBe('prepared');
  expect(await yard.sh(join(yard.worktree, 'vendor/lib'), 'rev-parse', 'HEAD')).toBe(commit);
  expect(await yard.sh(yard.worktree, 'status', '--porcelain')).toBe('');
  expect(await remove(yard)).toEqual({ kind: 'removed', trash: [] });
});

test('given a .gitmodules that leads elsewhere or runs programs, when a place is filled, then nothing is run or written, and each is named', async () => {
  await using yard = await makeLibraries();
  const touched = join(yard.dir, 'touched');
  const address = '../lib.git';
  const hostile: readonly (readonly [name: string, path: string, url: string, why: RegExp, more?: string])[] = [
    ['a', 'a', `ext::sh -c touch% ${touched}`, /^address names a git helper program/u],
    ['b', 'b', `--upload-pack=touch ${touched}`, /^address starts with a dash/u],
    ['c', 'c', `ssh://-oProxyCommand=touch ${touched}/x`, /^address cannot be fetched/u],
    ['../../../hooks', 'd', address, /^name in .gitmodules cannot be used/u],
    ['-x', 'e', address, /^name in .gitmodules cannot be used/u],
    ['f', '../../out', address, /^path leads elsewhere/u],
    ['g', '.git/hooks', address, /^path leads elsewhere/u],
    ['h', '-h', address, /^path leads elsewhere/u],
    ['a/modules/y', 'i', address, /^name in .gitmodules cannot be used/u],
    ['k', 'k', address, /^settings would run a program/u, `\tupdate = "!touch ${touched}"\n`],
  ];
  const commit = await yard.sh(join(yard.source, 'vendor/lib'), 'rev-parse', 'HEAD');
  await yard.sh(yard.source, 'rm', '-q', '-f', '--cached', 'vendor/lib');
  await rm(join(yard.source, 'vendor'), { recursive: true });
  await rm(join(yard.source, '.git/modules'), { recursive: true });
  const entries = hostile.map(
    ([name, path, url, , more = '']) =>
      `[submodule "${name}"]\n\tpath = ${JSON.stringify(path)}\n\turl = ${JSON.stringify(url)}\n${more}`,
  );
  await yard.write(yard.source, { '.gitmodules': entries.join('') });
  await yard.sh(yard.source, 'add', '.gitmodules');
  for (const [, path] of hostile)
    if (/^[a-z]$/u.test(path))
      await yard.sh(yard.source, 'update-index', '--add', '--cacheinfo', `160000,${commit},${path}`);
  await yard.sh(yard.source, 'commit', '-q', '-m', 'hostile');

  const lacking = await fill(yard);

  const expected = hostile.map(([, path, , why]) => ({ path, why: expect.stringMatching(why) }));
  expect(lacking.toSorted(byPath)).toEqual(expected.toSorted(byPath));
  expect(await yard.git.files.stat(touched)).toBeUndefined();
  expect(await yard.git.files.list(`${yard.worktree}/.git/modules`)).toEqual([]);
  expect(yard.calls.filter((call) => / submodule (?:update|init|sync)/u.test(call))).toEqual([]);
});

function byPath(one: { readonly path: string }, other: { readonly path: string }): number {
  return one.path < other.path ? -1 : 1;
}

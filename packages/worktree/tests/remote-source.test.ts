// Can a project come from a repository elsewhere?
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkSource, cloneProject, copyFiles, isRemoteUrl } from '../src/index.ts';
import { makeSource } from './support.ts';

test('given a remote, when it is checked and cloned, then its branch is told, and the clone fetches from there', async () => {
  await using yard = await makeSource();
  const remote = join(yard.dir, 'remote.git');
  await yard.sh(yard.dir, 'clone', '-q', '--bare', yard.source, remote);
  const url = `file://${remote}`;
  const head = await yard.sh(remote, 'rev-parse', 'main');

  const unnamed = await checkSource(yard.git, url);
  const named = await checkSource(yard.git, url, { defaultBranch: 'main' });
  const other = await checkSource(yard.git, url, { defaultBranch: 'trunk' });
  const cloned = await cloneProject(yard.git, { source: url, target: yard.repo, defaultBranch: 'main' });
  const again = await cloneProject(yard.git, { source: url, target: yard.repo, defaultBranch: 'main' });
  const copied = await copyFiles(yard.git, { source: url, worktree: yard.repo, patterns: ['*.secret'] });

  expect([unnamed, named]).toEqual([
    { kind: 'ok', root: url, defaultBranch: 'main', head },
    { kind: 'ok', root: url, defaultBranch: 'main', head },
  ]);
  expect(other).toMatchObject({ kind: 'no-such-branch', branch: 'trunk' });
  expect([cloned.kind, again.kind]).toEqual(['cloned', 'exists']);
  expect(await yard.sh(yard.repo, 'remote', 'get-url', 'origin')).toBe(url);
  expect(copied).toEqual({ copied: [], refused: [], unmatched: ['*.secret'] });
});

test('given an empty remote, and one that is not there, when each is checked, then that is told', async () => {
  await using yard = await makeSource();
  await yard.sh(yard.dir, 'init', '-q', '--bare', 'empty.git');

  expect(await checkSource(yard.git, `file://${yard.dir}/empty.git`)).toMatchObject({ kind: 'no-commits' });
  await expect(checkSource(yard.git, `file://${yard.dir}/nothing.git`)).rejects.toThrow('does not appear to be a git');
});

test.each([
  ['https://example.org/shop.git', true],
  ['git@example.org:shop.git', true],
  ['ext::sh -c x', true],
  ['/srv/shop', false],
  ['/srv/a:b', false],
])('given %j, when it is asked whether it is an address, then %j', (source, answer) => {
  expect(isRemoteUrl(source)).toBe(answer);
});

// Tests that a project can come from a remote repository.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  archiveOf,
  bringBase,
  checkSource,
  copyFiles,
  depotOf,
  ensureWorktree,
  isRemoteUrl,
  originOf,
} from '../src/index.ts';
import { makeSource, WORKER } from './support.ts';

test('given a remote, when it is checked and a worker gets a place, then its branch is told, and the place names it as origin', async () => {
  await using yard = await makeSource();
  const remote = join(yard.dir, 'remote.git');
  await yard.sh(yard.dir, 'clone', '-q', '--bare', yard.source, remote);
  const url = `file://${remote}`;
  const head = await yard.sh(remote, 'rev-parse', 'main');

  const unnamed = await checkSource(yard.git, url);
  const named = await checkSource(yard.git, url, { defaultBranch: 'main' });
  const other = await checkSource(yard.git, url, { defaultBranch: 'trunk' });
  const depot = { directory: yard.depot.directory, target: { kind: 'remote', url, defaultBranch: 'main' } } as const;
  const [base, origin] = [await bringBase(yard.git, depot), await originOf(yard.git, url)];
  const place = { path: yard.worktree, worker: WORKER, depot: depotOf(depot), archive: archiveOf(depot) };
  const made = await ensureWorktree(yard.git, { ...place, defaultBranch: 'main', base, source: url, origin });
  const copied = await copyFiles(yard.git, { source: url, worktree: yard.worktree, patterns: ['*.secret'] });

  expect([unnamed, named]).toEqual([
    { kind: 'ok', root: url, defaultBranch: 'main', head },
    { kind: 'ok', root: url, defaultBranch: 'main', head },
  ]);
  expect(other).toMatchObject({ kind: 'no-such-branch', branch: 'trunk' });
  expect(made).toMatchObject({ kind: 'created', head });
  expect(await yard.sh(yard.worktree, 'remote', 'get-url', 'origin')).toBe(url);
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

test.each([
  ['git@example.org:team/shop.git', 'git@example.org:team/shop.git'],
  ['https://example.org/shop.git', 'https://example.org/shop.git'],
  ['https://ada:secret@example.org/shop.git', 'the source'],
  ['../elsewhere', 'the source'],
  ['ext::sh -c x', 'the source'],
])(
  'given a source that was fetched from %j, when a worker gets a place, then its origin is %j',
  async (address, origin) => {
    await using yard = await makeSource();
    await yard.sh(yard.source, 'remote', 'add', 'origin', address);

    expect(await originOf(yard.git, yard.source)).toBe(origin === 'the source' ? yard.source : origin);
  },
);

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  ensureWorktree,
  findOrphans,
  listTrash,
  listWorktrees,
  pruneTrash,
  removeWorktree,
  TRASH_KEPT_MS,
} from '../src/index.ts';
import { BRANCH, NOW, WORKER, type Yard, makeYard } from './support.ts';

const requestOf = (yard: Yard) =>
  ({ repo: yard.repo, path: yard.worktree, worker: WORKER, base: 'origin/main' }) as const;

test('given a directory that vanished, when the worktree is ensured, then it is made again with its commits', async () => {
  await using yard = await makeYard();
  const head = await yard.commit(yard.worktree, { 'n.txt': 'n' });
  await rm(yard.worktree, { recursive: true });

  const when = await ensureWorktree(yard.git, {
    repo: yard.repo,
    path: yard.worktree,
    branch: BRANCH,
    base: 'origin/main',
  });

  expect(when).toEqual({ kind: 'created', path: yard.worktree, head });
});

test('given a worktree that git was killed in the middle of making, when it is ensured, then it is whole', async () => {
  await using yard = await makeYard();
  await writeFile(join(yard.repo, '.git/worktrees', WORKER, 'locked'), 'initializing');
  await rm(join(yard.worktree, 'a.txt'));

  const when = await ensureWorktree(yard.git, {
    repo: yard.repo,
    path: yard.worktree,
    branch: BRANCH,
    base: 'origin/main',
  });

  expect(when.kind).toBe('created');
  expect(await yard.sh(yard.worktree, 'status', '--porcelain')).toBe('');
});

test('given a record that git was killed in the middle of writing, when its worktree is ensured, then the clone is well', async () => {
  await using yard = await makeYard();
  const record = join(yard.repo, '.git/worktrees', 'bora');
  await yard.write(record, { locked: 'initializing', gitdir: `${yard.worktree}2/.git`, HEAD: '', commondir: '' });
  const request = { repo: yard.repo, branch: BRANCH, base: 'origin/main' };
  const bora = { ...request, path: join(yard.repo, '.worktrees/bora'), branch: 'drover/bora' };
  await expect(ensureWorktree(yard.git, { ...request, path: yard.worktree })).rejects.toMatchObject({ code: 'locked' });

  const when = await ensureWorktree(yard.git, bora);

  expect(when.kind).toBe('created');
  expect((await ensureWorktree(yard.git, { ...request, path: yard.worktree })).kind).toBe('exists');
});

test('given merged and clean, when removed twice, then worktree and branch go and the second finds nothing', async () => {
  await using yard = await makeYard();

  expect(await removeWorktree(yard.git, requestOf(yard))).toEqual({ kind: 'removed', trash: [] });
  expect(await removeWorktree(yard.git, requestOf(yard))).toEqual({ kind: 'absent' });
  expect(await yard.sh(yard.repo, 'for-each-ref', 'refs/heads/drover')).toBe('');
  expect(await listWorktrees(yard.git, yard.repo)).toHaveLength(1);
});

test('given a removal that died between worktree and branch, when repeated, then the branch goes too', async () => {
  await using yard = await makeYard();
  await yard.sh(yard.repo, 'worktree', 'remove', yard.worktree);

  expect((await removeWorktree(yard.git, requestOf(yard))).kind).toBe('removed');
  expect(await yard.sh(yard.repo, 'for-each-ref', 'refs/heads/drover')).toBe('');
});

test('given unmerged commits or uncommitted files, when removed without force, then it is refused and all stays', async () => {
  await using yard = await makeYard();
  await yard.write(yard.worktree, { 'untracked.txt': 'u' });
  expect(await removeWorktree(yard.git, requestOf(yard))).toEqual({ kind: 'not-merged', ahead: 0, changed: 1 });
  const head = await yard.commit(yard.worktree, {});

  expect(await removeWorktree(yard.git, requestOf(yard))).toEqual({ kind: 'not-merged', ahead: 1, changed: 0 });
  await yard.sh(yard.worktree, 'checkout', '-q', '-B', 'elsewhere', 'origin/main');
  expect(await removeWorktree(yard.git, requestOf(yard))).toMatchObject({ kind: 'not-merged', ahead: 1 });
  expect(await yard.sh(yard.repo, 'rev-parse', BRANCH)).toBe(head);
});

test('given unmerged work, when a person forces the removal, then trash keeps it all for 14 days and no longer', async () => {
  await using yard = await makeYard();
  const head = await yard.commit(yard.worktree, { 'n.txt': 'n' });
  await yard.write(yard.worktree, { 'untracked.txt': 'u', 'a.txt': 'edited\n' });

  const when = await removeWorktree(yard.git, { ...requestOf(yard), force: { id: 'nuke1', now: NOW } });

  expect(when).toMatchObject({ kind: 'removed' });
  const trash = await listTrash(yard.git, { repo: yard.repo, worker: WORKER });
  expect(trash.map((entry) => entry.ref).sort()).toEqual([
    `refs/drover/trash/alba/nuke1-${head.slice(0, 12)}`,
    'refs/drover/trash/alba/nuke1-files',
  ]);
  expect(await yard.sh(yard.repo, 'show', 'refs/drover/trash/alba/nuke1-files:untracked.txt')).toBe('u');
  expect(await yard.sh(yard.repo, 'show', 'refs/drover/trash/alba/nuke1-files:a.txt')).toBe('edited');
  expect(await yard.sh(yard.repo, 'rev-parse', `refs/drover/trash/alba/nuke1-${head.slice(0, 12)}^1`)).toBe(head);
  expect(await pruneTrash(yard.git, { repo: yard.repo, now: NOW + TRASH_KEPT_MS })).toEqual([]);
  expect(await pruneTrash(yard.git, { repo: yard.repo, now: NOW + TRASH_KEPT_MS + 1000 })).toHaveLength(2);
});

test('given a directory whose .git is lost, when forced, then it is left alone, for its files cannot be kept', async () => {
  await using yard = await makeYard();
  await rm(join(yard.worktree, '.git'));
  await yard.write(yard.worktree, { 'precious.txt': 'p' });

  const when = await removeWorktree(yard.git, { ...requestOf(yard), force: { id: 'nuke1', now: NOW } });

  expect(when.kind).toBe('unreadable');
  expect(await yard.read(yard.worktree, 'precious.txt')).toBe('p');
});

test('given unknown, vanished and stray directories, when orphans are sought, then each is found and none removed', async () => {
  await using yard = await makeYard();
  const make = (name: string) =>
    ensureWorktree(yard.git, {
      repo: yard.repo,
      path: join(yard.repo, '.worktrees', name),
      branch: `drover/${name}`,
      base: 'origin/main',
    });
  await make('unknown');
  await make('gone');
  await rm(join(yard.repo, '.worktrees/gone'), { recursive: true });
  await yard.write(yard.repo, { '.worktrees/stray/file.txt': '' });

  const when = await findOrphans(yard.git, { repo: yard.repo, workers: [WORKER, 'gone'] });

  expect(when.worktrees.map((entry) => entry.branch)).toEqual(['drover/unknown']);
  expect(when.gone.map((entry) => entry.branch)).toEqual(['drover/gone']);
  expect(when.strays).toEqual([join(yard.repo, '.worktrees/stray')]);
});

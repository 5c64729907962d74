/** Tests that one command removes a whole root, and first lists the parts. */
import { access, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';

test('given a root with a database elsewhere and work that is not merged, when it is removed, then all is named first, and all is gone', async () => {
  await using sandbox = await Sandbox.withRoot();
  const cluster = path.join(sandbox.directory, 'clusters', 'postgres-1');
  await mkdir(path.join(cluster, 'postgres'), { recursive: true });
  await mkdir(path.join(sandbox.dataDir, 'postgres'), { recursive: true });
  await writeFile(path.join(sandbox.dataDir, 'postgres', 'staged-at'), `${path.join(cluster, 'postgres')}\n`);
  const worktree = path.join(sandbox.root, '.worktrees', 'adam');
  await mkdir(path.dirname(worktree), { recursive: true });
  await sandbox.git('clone', '--quiet', '.', worktree);
  await sandbox.git('-C', worktree, 'checkout', '--quiet', '-b', 'drover/adam');
  await sandbox.git('-C', worktree, 'commit', '--quiet', '--allow-empty', '--message', 'not merged');
  await writeFile(path.join(worktree, 'a.txt'), 'half an idea\n');
  await sandbox.git('-C', worktree, 'stash');
  await writeFile(path.join(worktree, 'draft.txt'), 'half an idea\n');
  for (const name of ['beth', '.adam.large-1795879820479-ab', '.cleo.unfinished'])
    await mkdir(path.join(path.dirname(worktree), name));
  const archive = path.join(sandbox.dataDir, 'agent', 'depots', 'p1', 'archive.git');
  await sandbox.git('clone', '--quiet', '--bare', worktree, archive);
  await sandbox.git('-C', archive, 'update-ref', 'refs/remotes/origin/main', 'main');
  await sandbox.git('-C', archive, 'branch', '--quiet', 'drover/cleo', 'drover/adam');
  const all = [cluster, sandbox.dataDir, sandbox.root];

  const shown = await sandbox.drover(['remove-root', '--dry-run']);
  const unasked = await sandbox.drover(['remove-root']);
  const before = await Promise.all(all.map(isThere));
  const unseen = await sandbox.drover(['remove-root', '--yes']);
  const after = await Promise.all(all.map(isThere));
  const done = await sandbox.drover(['remove-root', '--yes', '--force']);

  for (const directory of all) expect(shown.stdout).toContain(directory);
  expect(shown.stdout).toContain(
    'would be lost: adam has 1 commit that is not merged, 1 file that is not committed and 1 entry in its stash',
  );
  expect(shown.stdout).toContain('would be lost: beth, whose worktree git cannot read');
  expect(shown.stdout).toMatch(/would be lost: \S+\/\.adam\.large-1795879820479-ab, which Drover keeps for 14 days/u);
  expect(shown.stdout).not.toContain('unfinished');
  expect(shown.stdout).toContain('would be lost: drover/cleo, whose worktree is gone: 1 commit not merged');
  expect([unasked.status, unasked.stderr]).toEqual([1, expect.stringContaining('repeat with --yes')]);
  expect(before).toEqual([true, true, true]);
  expect([unseen.status, unseen.stderr]).toEqual([1, expect.stringContaining('adam has 1 commit that is not merged')]);
  expect(unseen.stderr).toContain('add --force to lose it');
  expect(after).toEqual([true, true, true]);
  expect([done.status, done.stderr]).toEqual([0, '']);
  expect(await Promise.all(all.map(isThere))).toEqual([false, false, false]);
  expect(await isThere(path.join(sandbox.source, 'a.txt'))).toBe(true);
});

test('given a root that is up, when it is to be removed, then it is refused, and all is there', async () => {
  await using sandbox = await Sandbox.withRoot();
  await sandbox.up();

  const when = await sandbox.drover(['remove-root', '--yes']);

  expect(when.stderr).toContain('run "drover down" first');
  expect(await isThere(path.join(sandbox.root, 'drover.toml'))).toBe(true);
});

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

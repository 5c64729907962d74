/**
 * Tests that a restore gives the same branch, index and bytes again, whatever was done before a checkpoint and after
 * it, and that what it replaced is still reachable.
 */
import { chmod, lstat, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkpoint, restoreCheckpoint } from '../src/index.ts';
import { bytesOf } from './mess.ts';
import { addWorker, inYard, WORKER, NOW, type Yard, makeYard } from './support.ts';

/** Number of runs, each of which starts some hundred programs. DROVER_RUNS asks for more of them. */
const RUNS = Number(process.env['DROVER_RUNS'] ?? 8);

const path = fc.constantFrom('a.txt', 'b.txt', 'd', 'd/x', 'd/deep/y', 'x.secret', 'build/o', '-rf', 'ü ö\n', 'run');

const edit = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      path,
      text: fc.constantFrom('', 'one\n', 'two\r\n', '\0\u0001'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('remove' as const, 'link' as const, 'program' as const), path }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('stage' as const, 'unstage' as const), path }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('ignore' as const),
      text: fc.constantFrom('', 'd\n', '*.secret\nbuild/\n'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('stage-all' as const, 'commit' as const) }) },
);
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

const blow = fc.constantFrom('none', 'reset', 'detach', 'clean', 'orphan', 'removed' as const);

async function doEdit(yard: Yard, change: Edit): Promise<void> {
  const at = yard.worktree;
  const git = async (...args: string[]): Promise<unknown> => yard.sh(at, ...args).catch(() => undefined);
  switch (change.kind) {
    case 'write':
    case 'link':
    case 'program': {
      const full = await cleared(at, change.path);
      if (change.kind === 'link') return symlink('a.txt', full);
      await writeFile(full, change.kind === 'write' ? change.text : '#!/bin/sh\n');
      return change.kind === 'program' ? chmod(full, 0o755) : undefined;
    }
    case 'remove':
      return rm(join(at, change.path), { recursive: true, force: true }).catch(() => undefined);
    case 'ignore':
      return writeFile(join(at, '.gitignore'), change.text);
    case 'stage':
      return void (await git('add', '--all', '--', `:(literal)${change.path}`));
    case 'unstage':
      return void (await git('rm', '-r', '--quiet', '--cached', '--', `:(literal)${change.path}`));
    case 'stage-all':
      return void (await git('add', '--all'));
    case 'commit':
      return void (await git('commit', '--quiet', '--allow-empty', '--message', 'work'));
    default:
      return change satisfies never;
  }
}

/** Makes way for a file: files that stand where its directories must be, and whatever stands in its place. */
async function cleared(at: string, name: string): Promise<string> {
  const full = join(at, name);
  for (let parent = dirname(full); parent !== at; parent = dirname(parent)) {
    const facts = await lstat(parent).catch(() => undefined);
    if (facts?.isDirectory() === false) await rm(parent);
  }
  await rm(full, { recursive: true, force: true });
  await mkdir(dirname(full), { recursive: true });
  return full;
}

async function strike(yard: Yard, how: string): Promise<void> {
  const at = yard.worktree;
  if (how === 'reset') await yard.sh(at, 'reset', '--quiet', '--hard', 'origin/main');
  if (how === 'detach') await yard.sh(at, 'checkout', '--quiet', '--force', '--detach', 'origin/main');
  if (how === 'clean') await yard.sh(at, 'clean', '--quiet', '-dfx');
  if (how === 'orphan') await yard.sh(at, 'symbolic-ref', 'HEAD', 'refs/heads/drover/elsewhere');
  if (how === 'orphan') await yard.sh(at, 'commit', '--quiet', '--allow-empty', '--message', 'of another branch');
  if (how !== 'removed') return;
  await rm(at, { recursive: true });
  await addWorker(yard, WORKER);
}

/** Branch, index and status; and the bytes of all files that git does not ignore. */
async function whole(yard: Yard): Promise<unknown> {
  const at = yard.worktree;
  const list = await yard.sh(at, 'ls-files', '-z', '--cached', '--others', '--exclude-standard');
  const bytes = Object.entries(await bytesOf(at)).filter(([name]) => list.split('\0').includes(name));
  return {
    head: await yard.sh(at, 'rev-parse', 'HEAD'),
    branch: await yard.sh(at, 'symbolic-ref', 'HEAD'),
    status: await yard.sh(at, 'status', '--porcelain=v2', '-z', '--untracked-files=all'),
    index: await yard.sh(at, 'ls-files', '-z', '--stage'),
    bytes: Object.fromEntries(bytes),
  };
}

/** The blobs of all files that git does not ignore, as they are on the disk. */
async function blobs(yard: Yard): Promise<string[]> {
  const env = ['-c', 'core.safecrlf=false'];
  const list = await yard.sh(yard.worktree, 'ls-files', '-z', '--cached', '--others', '--exclude-standard');
  const found: string[] = [];
  for (const name of new Set(list.split('\0').filter(Boolean))) {
    const facts = await lstat(join(yard.worktree, name)).catch(() => undefined);
    if (facts?.isFile() === true) found.push(await yard.sh(yard.worktree, ...env, 'hash-object', '--', name));
  }
  return found;
}

test(
  'given random edits, when a checkpoint is restored after random damage, then all is as it was and the damage is reachable',
  { timeout: 90_000 + RUNS * 20_000 },
  async () => {
    const edits = fc.array(edit, { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(edits, edits, blow, async (before, after, how) => {
        await using yard = await makeYard();
        for (const change of before) await doEdit(yard, change);
        const given = await whole(yard);
        const request = { ...inYard(yard), now: NOW };
        const { commit } = await checkpoint(yard.git, { ...request, id: 'c1', reason: 'manual', why: '' });
        expect(await whole(yard)).toEqual(given);
        for (const change of after) await doEdit(yard, change);
        await strike(yard, how);
        const [damage, damagedHead] = [await blobs(yard), await yard.sh(yard.worktree, 'rev-parse', 'HEAD')];

        const when = await restoreCheckpoint(yard.git, { ...request, commit, saveAs: 'after' });

        expect(when.kind).toBe('restored');
        expect(await whole(yard)).toEqual(given);
        await yard.sh(yard.worktree, 'reflog', 'expire', '--expire=now', '--all');
        for (const at of [yard.worktree, yard.archive]) await yard.sh(at, 'gc', '--quiet', '--prune=now');
        for (const object of [damagedHead, ...damage]) await yard.sh(yard.archive, 'cat-file', '-e', object);
      }),
      { numRuns: RUNS },
    );
  },
);

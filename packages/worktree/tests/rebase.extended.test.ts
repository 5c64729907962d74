import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { abortRebase, readWorktree, readConflicts, rebaseOnto } from '../src/index.ts';
import { inYard, BRANCH, NOW, type Yard, makeYard } from './support.ts';

type Act = (yard: Yard, at: string) => Promise<unknown>;
const files =
  (changes: Record<string, string | undefined>): Act =>
  (yard, at) =>
    yard.write(at, changes);
const move =
  (from: string, to: string): Act =>
  (yard, at) =>
    yard.sh(at, 'mv', from, to);

/** Commits one change on main and another on the worker's branch, and rebases. Returns main's commit. */
async function collide(yard: Yard, { main, worker }: { main: Act; worker: Act }): Promise<string> {
  await main(yard, yard.source);
  const onto = await yard.commit(yard.source, {}, 'on main');
  await worker(yard, yard.worktree);
  await yard.commit(yard.worktree, {}, 'by the worker');
  await yard.sh(yard.worktree, 'fetch', '-q', 'origin');
  expect((await rebaseOnto(yard.git, { worktree: yard.worktree, onto })).kind).toBe('conflict');
  return onto;
}

const link =
  (path: string, to: string): Act =>
  (yard, at) =>
    symlink(to, join(at, path)).then(() => yard);

test.each([
  ['an empty directory', []],
  ['files without a word in them', ['head-name', 'interactive']],
])(
  'given a rebase that a full disk ended before it began, and that left %s, when it is repeated, then it is done',
  async (_, left) => {
    await using yard = await makeYard();
    const onto = await yard.commit(yard.source, { 'main.txt': 'main\n' }, 'on main');
    await yard.commit(yard.worktree, { 'worker.txt': 'worker\n' }, 'by the worker');
    await yard.sh(yard.worktree, 'fetch', '-q', 'origin');
    const remains = await yard.sh(yard.worktree, 'rev-parse', '--path-format=absolute', '--git-path', 'rebase-merge');
    await mkdir(remains);
    for (const name of left) await writeFile(join(remains, name), '');

    const when = await rebaseOnto(yard.git, { worktree: yard.worktree, onto });

    expect(when).toMatchObject({ kind: 'rebased', onto });
    expect(await yard.read(yard.worktree, 'main.txt')).toBe('main\n');
  },
);

describe('conflict types', () => {
  const cases: { name: string; main: Act; worker: Act; expected: object[] }[] = [
    {
      name: 'content',
      main: files({ 'a.txt': 'ONE\ntwo\nthree\n' }),
      worker: files({ 'a.txt': 'one!\ntwo\nthree\n' }),
      expected: [{ path: 'a.txt', type: { kind: 'content' }, regionCount: 1 }],
    },
    {
      name: 'deleted by the worker',
      main: files({ 'a.txt': 'changed\n' }),
      worker: files({ 'a.txt': undefined }),
      expected: [{ path: 'a.txt', type: { kind: 'modify-delete', deletedBy: 'worker' } }],
    },
    {
      name: 'deleted on main',
      main: files({ 'a.txt': undefined }),
      worker: files({ 'a.txt': 'changed\n' }),
      expected: [{ path: 'a.txt', type: { kind: 'modify-delete', deletedBy: 'default' } }],
    },
    {
      name: 'add/add with an odd name',
      main: files({ '-n\new ü.txt': 'x\n' }),
      worker: files({ '-n\new ü.txt': 'y\n' }),
      expected: [{ path: '-n\new ü.txt', type: { kind: 'add-add' }, regionCount: 1 }],
    },
    {
      name: 'rename/rename',
      main: move('a.txt', 'main.txt'),
      worker: move('a.txt', 'worker.txt'),
      expected: ['a.txt', 'main.txt', 'worker.txt'].map((path) => ({ path, type: { kind: 'rename-rename' } })),
    },
    {
      name: 'binary',
      main: files({ 'p.bin': 'main\0\u0001' }),
      worker: files({ 'p.bin': 'worker\0\u0002' }),
      expected: [{ path: 'p.bin', type: { kind: 'binary' }, regionCount: 0 }],
    },
    {
      name: 'mode',
      main: async (yard, at) => {
        await yard.write(at, { 'run.sh': 'echo\n' });
        await chmod(join(at, 'run.sh'), 0o755);
      },
      worker: files({ 'run.sh': 'echo\n' }),
      expected: [{ path: 'run.sh', type: { kind: 'mode' } }],
    },
    {
      name: 'link against link',
      main: link('l', 'a.txt'),
      worker: link('l', '/etc/passwd'),
      expected: [{ path: 'l', type: { kind: 'add-add' }, regionCount: 0 }],
    },
    {
      name: 'file against directory',
      main: files({ 'thing/x.txt': 'x\n' }),
      worker: files({ thing: 'file\n' }),
      expected: [{ type: { kind: 'file-directory' } }],
    },
  ];

  test.each(cases)(
    'given $name, when read from the stages, then type and regions are right',
    async ({ main, worker, expected }) => {
      await using yard = await makeYard();
      await collide(yard, { main, worker });

      const when = await readConflicts(yard.git, yard.worktree);

      expect(when).toMatchObject({
        subject: 'by the worker',
        progress: { step: 1, of: 1, branch: BRANCH },
        files: expected,
      });
    },
  );

  test('given two commits of a submodule, when read, then the type is submodule', async () => {
    await using yard = await makeYard();
    const inner = join(yard.dir, 'inner');
    await yard.sh(yard.dir, 'init', '-q', '-b', 'main', inner);
    const gitlink = async (at: string, message: string): Promise<void> => {
      await mkdir(join(at, 'sub'), { recursive: true });
      const commit = await yard.commit(inner, { 'i.txt': message }, message);
      await yard.sh(at, 'update-index', '--add', '--cacheinfo', `160000,${commit},sub`);
      await yard.sh(at, 'commit', '-q', '-m', message);
    };
    await gitlink(yard.source, 'on main');
    await gitlink(yard.worktree, 'by the worker');
    await yard.sh(yard.worktree, 'fetch', '-q', 'origin');

    const outcome = await rebaseOnto(yard.git, { worktree: yard.worktree, onto: 'origin/main' });

    expect(outcome.kind).toBe('conflict');
    const when = await readConflicts(yard.git, yard.worktree);
    expect(when?.files).toMatchObject([{ path: 'sub', type: { kind: 'submodule' } }]);
  });
});

const changeA = (text: string): Act => files({ 'a.txt': text });

async function standing(yard: Yard): Promise<{ onto: string; originalHead: string }> {
  const onto = await collide(yard, { main: changeA('main\n'), worker: changeA('worker\n') });
  return { onto, originalHead: await yard.sh(yard.worktree, 'rev-parse', BRANCH) };
}

test('given a standing conflict, when it is resolved step by step, then the facts of the worktree say how far it is', async () => {
  await using yard = await makeYard();
  const { onto } = await standing(yard);
  const facts = () => readWorktree(yard.git, { path: yard.worktree, base: onto });
  expect(await facts()).toMatchObject({ unmerged: ['a.txt'], rebase: { step: 1, of: 1, onto, branch: BRANCH } });

  await yard.sh(yard.worktree, 'add', 'a.txt');
  expect(await facts()).toMatchObject({ unmerged: [], rebase: { step: 1, of: 1 } });
  await yard.sh(yard.worktree, 'rebase', '--continue');

  expect(await facts()).toMatchObject({ unmerged: [], rebase: undefined, branch: BRANCH, ahead: 1, behind: 0 });
});

describe('rebasing', () => {
  test('given a standing conflict, when rebased again, then the same is told and nothing starts anew', async () => {
    await using yard = await makeYard();
    const { onto } = await standing(yard);

    const when = await rebaseOnto(yard.git, { worktree: yard.worktree, onto });

    expect(when).toMatchObject({ kind: 'conflict', paths: ['a.txt'], progress: { onto, branch: BRANCH } });
  });

  test('given a half-resolved rebase, when given up twice, then its state is saved and the branch is back', async () => {
    await using yard = await makeYard();
    const { originalHead } = await standing(yard);
    await yard.write(yard.worktree, { 'a.txt': 'half resolved\n' });
    const request = { ...inYard(yard), id: 'ab1', now: NOW };

    const when = await abortRebase(yard.git, request);

    expect(when).toMatchObject({ kind: 'aborted', head: originalHead, saved: { kind: 'saved' } });
    expect(await yard.sh(yard.archive, 'show', 'refs/drover/checkpoints/alba/ab1:a.txt')).toBe('half resolved');
    expect(await abortRebase(yard.git, request)).toEqual({ kind: 'no-rebase', head: originalHead });
  });

  test('given a conflict that was resolved once, when it comes again, then it stands again, for nobody would judge the recorded answer', async () => {
    await using yard = await makeYard();
    const { onto, originalHead } = await standing(yard);
    await yard.write(yard.worktree, { 'a.txt': 'both\n' });
    await yard.sh(yard.worktree, 'add', 'a.txt');
    await yard.sh(yard.worktree, 'rebase', '--continue');
    await yard.sh(yard.worktree, 'reset', '-q', '--hard', originalHead);

    const when = await rebaseOnto(yard.git, { worktree: yard.worktree, onto });

    expect(when).toMatchObject({ kind: 'conflict', paths: ['a.txt'] });
    expect((await readConflicts(yard.git, yard.worktree))?.files).toMatchObject([{ regionCount: 1 }]);
  });

  test('given uncommitted files, when rebased, then that is told', async () => {
    await using yard = await makeYard();
    await yard.write(yard.worktree, { 'u.txt': '' });
    expect(await rebaseOnto(yard.git, { worktree: yard.worktree, onto: 'origin/main' })).toMatchObject({
      kind: 'dirty',
      files: [{ path: 'u.txt' }],
    });
  });
});

import { describe, expect, test } from 'vitest';
import {
  acceptFastForward,
  acceptRebase,
  acceptSquash,
  acceptValidate,
  readWorktree,
  proveMerged,
  recycle,
} from '../src/index.ts';
import { BRANCH, NOW, WORKER, type Yard, makeYard } from './support.ts';

const step = { worker: WORKER, defaultBranch: 'main', now: NOW, id: 'acc1' } as const;

/** Runs every step of an acceptance `times` times over and returns the commit. */
async function acceptAll(yard: Yard, { times = 1, keepDirectory = false } = {}): Promise<string> {
  const { git, worktree, source, repo } = yard;
  const repeated = async <T>(act: () => Promise<T>): Promise<T> => {
    let result = await act();
    for (let count = 1; count < times; count += 1) result = await act();
    return result;
  };
  const rebased = await repeated(() => acceptRebase(git, { ...step, worktree }));
  if (rebased.kind !== 'ready') throw new Error(rebased.kind);
  const checked = await repeated(() => acceptValidate(git, { worktree, commands: ['test -f a.txt'] }));
  expect(checked.kind).toBe('passed');
  const squashed = await repeated(() => acceptSquash(git, { ...rebased, worktree, worker: WORKER, now: NOW }));
  if (squashed.kind !== 'squashed' && squashed.kind !== 'already') throw new Error(squashed.kind);
  const { commit } = squashed;
  const advanced = await repeated(() =>
    acceptFastForward(git, { ...step, worktree, source, expected: rebased.base, commit }),
  );
  expect(['advanced', 'already']).toContain(advanced.kind);
  expect((await repeated(() => proveMerged(git, { source, defaultBranch: 'main', commit }))).kind).toBe('merged');
  const fresh = await repeated(() => recycle(git, { ...step, repo, worktree, source, commit, keepDirectory }));
  expect(fresh).toEqual({ kind: 'recycled', path: worktree, head: commit });
  return commit;
}

describe('accepting', () => {
  test.each([
    { times: 1, keepDirectory: false },
    { times: 2, keepDirectory: false },
    { times: 2, keepDirectory: true },
  ])(
    'given two commits, when each step runs $times times (keep $keepDirectory), then main has one',
    async (options) => {
      await using yard = await makeYard();
      await yard.commit(
        yard.worktree,
        { 'new.txt': 'n\n', 'b.txt': undefined },
        'add new\n\nCo-Authored-By: Claude <noreply@anthropic.com>',
      );
      await yard.commit(yard.worktree, { 'new.txt': 'nn\n' }, 'and more');
      await yard.commit(yard.source, { 'c.txt': 'c\n' }, 'meanwhile');

      const commit = await acceptAll(yard, options);

      expect(await yard.sh(yard.source, 'log', '--format=%s', 'main')).toBe('add new\nmeanwhile\nfirst');
      expect(await yard.sh(yard.source, 'log', '-1', '--format=%B')).toBe('add new\n\n* and more');
      expect(await yard.sh(yard.source, 'status', '--porcelain')).toBe('');
      expect(await yard.read(yard.source, 'new.txt')).toBe('nn\n');
      expect(await yard.read(yard.source, 'b.txt')).toBeUndefined();
      expect(await yard.sh(yard.source, 'for-each-ref', 'refs/drover')).toBe('');
      const facts = await readWorktree(yard.git, { path: yard.worktree, base: 'origin/main' });
      expect(facts).toMatchObject({ head: commit, branch: BRANCH, ahead: 0, behind: 0, changeCount: 0 });
    },
  );

  test('given commits that change nothing, when the work is accepted, then the branch is at main, they are kept and the seat is fresh', async () => {
    await using yard = await makeYard();
    const { worktree, source } = yard;
    const empty = await yard.commit(worktree, {}, 'an empty commit');
    const main = await yard.commit(source, { 'c.txt': 'c\n' }, 'meanwhile');
    const rebased = await acceptRebase(yard.git, { ...step, worktree });
    const head = await yard.sh(worktree, 'rev-parse', 'HEAD');
    const request = { worktree, worker: WORKER, base: main, head, now: NOW };

    const when = await acceptSquash(yard.git, request);
    const again = await acceptSquash(yard.git, request);

    expect(rebased).toMatchObject({ kind: 'ready', ahead: 1 });
    expect([when.kind, again.kind]).toEqual(['nothing-to-accept', 'nothing-to-accept']);
    if (when.kind !== 'nothing-to-accept') throw new Error(when.kind);
    expect(await yard.sh(worktree, 'log', '-1', '--format=%s', `${when.trash}^`)).toBe('an empty commit');
    expect(empty).not.toBe(main);
    const fresh = await recycle(yard.git, { ...step, ...yard, commit: main, keepDirectory: false });
    expect(fresh).toMatchObject({ kind: 'recycled', head: main });
  });

  test('given a source whose tracked file is changed, when main is advanced, then it is refused and untouched', async () => {
    await using yard = await makeYard();
    const commit = await yard.commit(yard.worktree, { 'a.txt': 'worker\n' });
    const expected = await yard.sh(yard.source, 'rev-parse', 'main');
    await yard.write(yard.source, { 'a.txt': 'person\n' });

    const outcome = await acceptFastForward(yard.git, { ...step, ...yard, expected, commit });

    expect(outcome).toEqual({ kind: 'source-dirty', path: yard.source, files: ['a.txt'] });
    expect(await yard.sh(yard.source, 'rev-parse', 'main')).toBe(expected);
    expect(await yard.read(yard.source, 'a.txt')).toBe('person\n');
  });
});

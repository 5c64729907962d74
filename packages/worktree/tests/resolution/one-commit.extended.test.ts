/** Work of several commits is put on a newer default branch as one, so that its conflicts come once. */
import { expect, test } from 'vitest';
import { readConflicts } from '../../src/index.ts';
import { rebaseIn, BRANCH, type Yard, makeYard } from '../support.ts';

/** Three commits, each of which would conflict with the default branch. */
async function threeCommits(yard: Yard, main: Record<string, string>): Promise<string> {
  for (const count of [1, 2, 3]) await yard.commit(yard.worktree, { 'a.txt': `mine ${count}\n` }, `Change ${count}`);
  await yard.commit(yard.source, main, 'on main');
  return yard.sh(yard.worktree, 'rev-parse', 'HEAD');
}

test('given three commits that conflict, when rebased, then the conflicts of one commit stand, and the three are in the trash', async () => {
  await using yard = await makeYard();
  const tip = await threeCommits(yard, { 'a.txt': 'main\n' });

  const when = await rebaseIn(yard);

  const onto = await yard.sh(yard.source, 'rev-parse', 'main');
  expect(when).toMatchObject({ kind: 'conflict', onto });
  expect(await readConflicts(yard.git, yard.worktree)).toMatchObject({
    progress: { step: 1, of: 1 },
    files: [{ path: 'a.txt' }],
  });
  const { orig } = when as Extract<typeof when, { kind: 'conflict' }>;
  expect(await yard.sh(yard.worktree, 'rev-parse', `${orig}^{tree}`)).toBe(
    await yard.sh(yard.worktree, 'rev-parse', `${tip}^{tree}`),
  );
  expect(await yard.sh(yard.worktree, 'log', '-1', '--format=%B', orig)).toContain('Change 2');
  const [trash = ''] = (await yard.sh(yard.archive, 'for-each-ref', '--format=%(refname)', 'refs/drover/trash')).split(
    '\n',
  );
  expect(await yard.sh(yard.archive, 'rev-list', '--count', `${trash}^`, '--not', 'origin/main')).toBe('3');

  expect(await rebaseIn(yard)).toEqual(when);
  await yard.sh(yard.worktree, 'rebase', '--abort');
  expect(await yard.sh(yard.worktree, 'rev-parse', BRANCH)).toBe(orig);
});

test('given work that applies, when rebased twice, then it is one commit on the newest default branch, and stays it', async () => {
  await using yard = await makeYard();
  await threeCommits(yard, { 'b.txt': 'main\n' });

  const when = await rebaseIn(yard);

  expect(when.kind).toBe('rebased');
  expect(await yard.sh(yard.worktree, 'rev-list', '--count', 'origin/main..HEAD')).toBe('1');
  expect(await yard.read(yard.worktree, 'b.txt')).toBe('main\n');
  expect(await rebaseIn(yard)).toEqual(when);
});

test('given several commits on the newest default branch, when rebased, then they stay as they are', async () => {
  await using yard = await makeYard();
  const head = await yard.commit(yard.worktree, { 'a.txt': 'mine\n' }, 'one');

  expect(await rebaseIn(yard)).toMatchObject({ kind: 'rebased', head });
});

test('given a rebase that a kill cut off after its conflicts were resolved, when rebased, then that is saved, and it is done anew', async () => {
  await using yard = await makeYard();
  await threeCommits(yard, { 'a.txt': 'main\n' });
  const first = await rebaseIn(yard);
  await yard.write(yard.worktree, { 'a.txt': 'settled\n' });
  await yard.sh(yard.worktree, 'add', 'a.txt');
  await yard.sh(yard.worktree, 'rerere', 'clear');

  const when = await rebaseIn(yard);

  expect(when).toEqual(first);
  expect(await yard.sh(yard.archive, 'show', 'refs/drover/checkpoints/alba/one:a.txt')).toBe('settled');
});

test('given files that are not committed, or another branch, when rebased, then that is told and nothing is done', async () => {
  await using yard = await makeYard();
  const head = await threeCommits(yard, { 'a.txt': 'main\n' });
  await yard.write(yard.worktree, { 'new.txt': 'x\n' });

  expect(await rebaseIn(yard)).toMatchObject({ kind: 'dirty', files: [{ path: 'new.txt' }] });
  await yard.write(yard.worktree, { 'new.txt': undefined });
  await yard.sh(yard.worktree, 'checkout', '-q', '-b', 'mine');
  expect(await rebaseIn(yard)).toEqual({ kind: 'wrong-branch' });
  expect(await yard.sh(yard.worktree, 'rev-parse', BRANCH)).toBe(head);
});

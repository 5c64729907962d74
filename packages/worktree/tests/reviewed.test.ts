/** Tests that the merged commit is the one that was reviewed, whatever its agent does to the branch meanwhile. */
import { describe, expect, test } from 'vitest';
import { squashWork, checkPinned, diff, openChange } from '../src/index.ts';
import { inYard, BRANCH, NOW, WORKER, type Yard, makeYard } from './support.ts';

describe('a branch that is looked at again', () => {
  test.each([
    [
      'a commit was added',
      (yard: Yard) => yard.commit(yard.worktree, { 'evil.txt': '' }, 'Sneak'),
      /^1 commit came after what was reviewed: [0-9a-f]{7} Sneak: run "drover review alba" again$/u,
    ],
    ['five were added', fiveCommits, /^5 commits came after .* Sneak 0, .* Sneak 2, and 2 more: run/u],
    [
      'it was amended',
      amended,
      /^its branch was rewritten: [0-9a-f]{7} was reviewed, and [0-9a-f]{7} good is there now: run/u,
    ],
    ['its message was amended', reworded, /^its branch was rewritten: /u],
    [
      'another branch is checked out',
      (yard: Yard) => yard.sh(yard.worktree, 'checkout', '-qb', 'other'),
      /has "other" checked out instead of "drover\/alba"/u,
    ],
    [
      'HEAD is detached',
      (yard: Yard) => yard.sh(yard.worktree, 'checkout', '-q', '--detach'),
      /a commit without a branch/u,
    ],
  ] as const)('given reviewed work, when %s, then it is told', async (_what, act, words) => {
    await using yard = await makeYard();
    const { git, worktree } = yard;
    const head = await yard.commit(worktree, { 'good.txt': 'good\n' }, 'good');
    const tree = await yard.sh(worktree, 'rev-parse', 'HEAD^{tree}');
    const request = { worktree, worker: WORKER, pin: { head, tree } };
    expect(await checkPinned(git, request)).toEqual({ kind: 'there', head, tree, changes: [] });

    await act(yard);

    const when = await checkPinned(git, request);
    expect(when).toMatchObject({ kind: 'changed' });
    expect(when.kind === 'changed' && when.why).toMatch(words);
  });
});

describe('one commit of what was reviewed', () => {
  test('given a commit that came after, when the work is squashed, then it is refused and nothing moves', async () => {
    await using yard = await makeYard();
    const { git, worktree } = yard;
    await yard.commit(worktree, { 'good.txt': '1\n' }, 'good');
    const head = await yard.commit(worktree, { 'good.txt': '2\n' }, 'and more');
    const tip = await yard.commit(worktree, { 'evil.txt': '' }, 'Sneak');

    const when = await squashWork(git, { ...inYard(yard), base: 'origin/main', head, now: NOW });

    expect(when).toEqual({ kind: 'changed', tip });
    expect(await yard.sh(worktree, 'rev-parse', BRANCH)).toBe(tip);
  });

  test('given a commit that came right before the branch moves, when the work is squashed, then it is refused', async () => {
    await using yard = await makeYard();
    const { git, worktree } = yard;
    await yard.commit(worktree, { 'good.txt': '1\n' }, 'good');
    const head = await yard.commit(worktree, { 'good.txt': '2\n' }, 'and more');
    const racing: typeof git = {
      ...git,
      run: async (program, args, options) => {
        if (args.includes('drover: squash')) await yard.commit(worktree, { 'evil.txt': '' }, 'Sneak');
        return git.run(program, args, options);
      },
    };

    await expect(squashWork(racing, { ...inYard(yard), base: 'origin/main', head, now: NOW })).rejects.toThrow(
      'squash the commits',
    );

    expect(await yard.sh(worktree, 'log', '-1', '--format=%s', BRANCH)).toBe('Sneak');
  });

  test('given a squash whose answer was lost, when it is repeated later, then it finds the same commit', async () => {
    await using yard = await makeYard();
    const { git, worktree } = yard;
    await yard.commit(worktree, { 'good.txt': '1\n' }, 'good');
    const head = await yard.commit(worktree, { 'good.txt': '2\n' }, 'and more');
    const request = { ...inYard(yard), base: 'origin/main', head };
    const first = await squashWork(git, { ...request, now: NOW });

    const again = await squashWork(git, { ...request, now: NOW + 60_000 });

    expect(again).toEqual({ kind: 'already', commit: first.kind === 'squashed' ? first.commit : 'none' });
    expect(await yard.sh(worktree, 'rev-parse', `${BRANCH}^{tree}`)).toBe(
      await yard.sh(worktree, 'rev-parse', `${head}^{tree}`),
    );
  });
});

test('given a commit that another one replaces for whoever reads, when the work is reviewed, then the real one is shown', async () => {
  await using yard = await makeYard();
  const { git, worktree } = yard;
  const evil = await yard.commit(worktree, { 'evil.txt': 'evil\n' }, 'good');
  await yard.sh(worktree, 'reset', '-q', '--hard', 'HEAD^');
  const good = await yard.commit(worktree, { 'good.txt': 'good\n' }, 'good');
  await yard.sh(worktree, 'reset', '-q', '--hard', evil);
  await yard.sh(worktree, 'replace', evil, good);
  expect(await yard.sh(worktree, 'show', '--stat', evil)).toContain('good.txt');

  await using change = await openChange(git, { path: worktree, base: 'origin/main', head: evil });
  const { text: shown } = await diff(change);

  expect(shown).toContain('+evil');
});

async function fiveCommits(yard: Yard): Promise<unknown> {
  for (let count = 0; count < 5; count += 1) await yard.commit(yard.worktree, {}, `Sneak ${count}`);
  return undefined;
}

async function amended(yard: Yard): Promise<unknown> {
  await yard.write(yard.worktree, { 'evil.txt': '' });
  await yard.sh(yard.worktree, 'add', '-A');
  return yard.sh(yard.worktree, 'commit', '-q', '--amend', '--no-edit');
}

async function reworded(yard: Yard): Promise<unknown> {
  return yard.sh(yard.worktree, 'commit', '-q', '--amend', '--allow-empty', '-m', 'better');
}

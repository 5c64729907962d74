/** Is what is merged the commit that was reviewed, whatever its agent does to the branch meanwhile? */
import { describe, expect, test } from 'vitest';
import { acceptRebase, acceptSquash, diff, checkPinned, whyNotSameWork } from '../src/index.ts';
import { BRANCH, NOW, WORKER, type Yard, makeYard } from './support.ts';

const LINES = Array.from({ length: 40 }, (_, index) => `line ${index}`);

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

    const when = await acceptSquash(git, { worktree, worker: WORKER, base: 'origin/main', head, now: NOW });

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

    await expect(
      acceptSquash(racing, { worktree, worker: WORKER, base: 'origin/main', head, now: NOW }),
    ).rejects.toThrow('squash the commits');

    expect(await yard.sh(worktree, 'log', '-1', '--format=%s', BRANCH)).toBe('Sneak');
  });

  test('given a squash whose answer was lost, when it is repeated later, then it finds the same commit', async () => {
    await using yard = await makeYard();
    const { git, worktree } = yard;
    await yard.commit(worktree, { 'good.txt': '1\n' }, 'good');
    const head = await yard.commit(worktree, { 'good.txt': '2\n' }, 'and more');
    const request = { worktree, worker: WORKER, base: 'origin/main', head };
    const first = await acceptSquash(git, { ...request, now: NOW });

    const again = await acceptSquash(git, { ...request, now: NOW + 60_000 });

    expect(again).toEqual({ kind: 'already', commit: first.kind === 'squashed' ? first.commit : 'none' });
    expect(await yard.sh(worktree, 'rev-parse', `${BRANCH}^{tree}`)).toBe(
      await yard.sh(worktree, 'rev-parse', `${head}^{tree}`),
    );
  });
});

describe('a rebase by Drover', () => {
  test.each([
    ['other files', { 'main.txt': 'm\n' }, null],
    ['other lines of the same file', { 'long.txt': text({ 35: 'by main' }) }, null],
    ['nothing but its own change', { 'long.txt': text({ 2: 'by alba' }) }, null],
  ] as const)(
    'given a default branch that changes %s, when the work is rebased, then it is what was reviewed',
    async (_what, files, why) => {
      await using yard = await yardWithLines();
      const { git, worktree, source } = yard;
      const reviewed = await yard.commit(worktree, { 'long.txt': text({ 2: 'by alba' }) }, 'good');
      await yard.commit(source, files, 'meanwhile');

      const { now, base } = await rebased(yard);

      expect(now).not.toBe(reviewed);
      expect(await whyNotSameWork(git, { worktree, worker: WORKER, reviewed, now, base })).toBe(why);
    },
  );

  test.each([
    [
      'adds a commit',
      (yard: Yard) => yard.commit(yard.worktree, { 'evil.txt': '' }, 'Sneak'),
      'its commits are not those that were reviewed',
    ],
    ['amends', amended, 'its files are not those that were reviewed'],
    ['changes indentation alone', indented, 'its files are not those that were reviewed'],
    ['writes another message', reworded, 'its commits are not those that were reviewed'],
  ] as const)(
    'given an agent that %s right after the rebase, when the work is compared, then it is not what was reviewed',
    async (_what, act, words) => {
      await using yard = await makeYard();
      const { git, worktree, source } = yard;
      const reviewed = await yard.commit(worktree, { 'good.py': 'if a:\n  b()\nc()\n' }, 'good');
      await yard.commit(source, { 'main.txt': 'm\n' }, 'meanwhile');
      const { base } = await rebased(yard);

      await act(yard);

      const now = await yard.sh(worktree, 'rev-parse', 'HEAD');
      expect(await whyNotSameWork(git, { worktree, worker: WORKER, reviewed, now, base })).toBe(
        `${words}: run "drover review alba" again`,
      );
    },
  );

  test('given attributes that choose how a file is merged, when both changed it, then it is not what was reviewed', async () => {
    await using yard = await yardWithLines();
    const { git, worktree, source, repo } = yard;
    await yard.write(repo, { '.git/info/attributes': 'long.txt merge=union\n' });
    const reviewed = await yard.commit(worktree, { 'long.txt': text({ 2: 'by alba' }) }, 'good');
    await yard.commit(source, { 'long.txt': text({ 2: 'by main' }) }, 'meanwhile');

    const { now, base } = await rebased(yard);

    expect(await whyNotSameWork(git, { worktree, worker: WORKER, reviewed, now, base })).toBe(
      'the default branch changes "long.txt" too, and both were put together: run "drover review alba" again',
    );
  });

  test('given a git that cannot merge without a worktree, when both changed a file, then a person looks again, and else nobody has to', async () => {
    await using yard = await yardWithLines();
    const { git, worktree, source } = yard;
    const old: typeof git = {
      ...git,
      run: (program, args, options) =>
        args.includes('merge-tree')
          ? Promise.resolve({ status: 129, signal: null, stdout: '', stderr: 'usage: git merge-tree', timedOut: false })
          : git.run(program, args, options),
    };
    const first = await yard.commit(worktree, { 'own.txt': 'o\n' }, 'good');
    await yard.commit(source, { 'long.txt': text({ 35: 'by main' }) }, 'meanwhile');
    const one = await rebased(yard);
    expect(await whyNotSameWork(old, { worktree, worker: WORKER, reviewed: first, ...one })).toBeNull();
    const second = await yard.commit(worktree, { 'long.txt': text({ 2: 'by alba', 35: 'by main' }) }, 'more');
    await yard.commit(source, { 'long.txt': text({ 35: 'by main again' }) }, 'meanwhile');

    const other = await rebased(yard);

    expect(await whyNotSameWork(old, { worktree, worker: WORKER, reviewed: second, ...other })).toMatch(
      /"long.txt" too/u,
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

  const { text: shown } = await diff(git, { path: worktree, base: 'origin/main', head: evil });

  expect(shown).toContain('+evil');
});

async function rebased(yard: Yard): Promise<{ now: string; base: string }> {
  const { git, worktree } = yard;
  const outcome = await acceptRebase(git, { worktree, worker: WORKER, defaultBranch: 'main', id: 'r', now: NOW });
  if (outcome.kind === 'ready') return { now: outcome.head, base: outcome.base };
  if (outcome.kind !== 'nothing-to-accept') throw new Error(outcome.kind);
  return { now: await yard.sh(worktree, 'rev-parse', 'HEAD'), base: outcome.base };
}

/** A yard whose default branch has a long file. */
async function yardWithLines(): Promise<Yard> {
  const yard = await makeYard();
  await yard.commit(yard.source, { 'long.txt': text({}) }, 'long');
  await rebased(yard);
  return yard;
}

function text(changed: Readonly<Record<number, string>>): string {
  return `${LINES.map((line, index) => changed[index] ?? line).join('\n')}\n`;
}

async function fiveCommits(yard: Yard): Promise<unknown> {
  for (let count = 0; count < 5; count += 1) await yard.commit(yard.worktree, {}, `Sneak ${count}`);
  return undefined;
}

async function amended(yard: Yard): Promise<unknown> {
  await yard.write(yard.worktree, { 'evil.txt': '' });
  await yard.sh(yard.worktree, 'add', '-A');
  return yard.sh(yard.worktree, 'commit', '-q', '--amend', '--no-edit');
}

async function indented(yard: Yard): Promise<unknown> {
  await yard.write(yard.worktree, { 'good.py': 'if a:\n  b()\n  c()\n' });
  return yard.sh(yard.worktree, 'commit', '-qa', '--amend', '--no-edit');
}

async function reworded(yard: Yard): Promise<unknown> {
  return yard.sh(yard.worktree, 'commit', '-q', '--amend', '--allow-empty', '-m', 'better');
}

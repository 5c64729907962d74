/** Ends of a conflict after which the work is not where it should be, or not there at all. */
import { expect, test } from 'vitest';
import { BRANCH } from '../support.ts';
import { BOTH, collide, lines, ONE_LINE, testCases } from './yard.ts';

testCases([
  // in-progress
  {
    name: 'nothing was done',
    end: () => Promise.resolve(),
    verdict: { kind: 'in-progress', operation: 'rebase', files: ['both.txt'] },
  },
  {
    name: 'the files are staged and the rebase was not continued',
    end: async ({ yard, at, git }) => {
      await yard.write(at, { 'both.txt': BOTH });
      await git('add', '-A');
    },
    verdict: { kind: 'in-progress', operation: 'rebase', files: [] },
  },
  {
    name: 'the rebase was left for a merge that conflicts',
    end: async ({ git, onto }) => {
      await git('rebase', '--abort');
      await git('-c', 'rerere.enabled=false', 'merge', onto).catch(() => undefined);
    },
    verdict: { kind: 'in-progress', operation: 'merge', files: ['both.txt'] },
  },
  // elsewhere
  {
    name: 'another branch is checked out',
    end: async ({ git, onto }) => {
      await git('rebase', '--abort');
      await git('checkout', '-q', '-b', 'mine', onto);
    },
    verdict: { kind: 'elsewhere', branch: 'mine' },
  },
  {
    name: 'git was told to forget the rebase, and the files are committed',
    end: async ({ yard, at, git }) => {
      await git('rebase', '--quit');
      await yard.commit(at, { 'both.txt': BOTH }, 'resolved');
    },
    verdict: { kind: 'elsewhere', branch: null },
  },
  {
    name: 'git was told to forget the rebase, and its files were left',
    end: ({ git }) => git('rebase', '--quit'),
    verdict: { kind: 'in-progress', operation: null, files: ['both.txt'] },
  },
  {
    name: 'a commit was made on top of the old base',
    end: async ({ yard, at, git }) => {
      await git('rebase', '--abort');
      await yard.commit(at, { 'both.txt': BOTH }, 'as if it were resolved');
    },
    verdict: { kind: 'elsewhere', branch: BRANCH },
  },
  {
    name: 'the branch was moved to a commit from before both sides',
    end: async ({ git, parted }) => {
      await git('rebase', '--abort');
      await git('reset', '-q', '--hard', parted);
    },
    verdict: { kind: 'elsewhere', branch: BRANCH },
  },
  {
    name: 'the branch was begun again without any history',
    end: async ({ git }) => {
      await git('rebase', '--abort');
      await git('update-ref', '-d', 'HEAD');
    },
    verdict: { kind: 'elsewhere', head: null },
  },
  // aborted
  { name: 'the rebase was aborted', end: ({ git }) => git('rebase', '--abort'), verdict: { kind: 'aborted' } },
  {
    name: 'the rebase was aborted and the commit was amended without a change',
    end: async ({ git }) => {
      await git('rebase', '--abort');
      await git('commit', '-q', '--amend', '-m', 'other words');
    },
    verdict: { kind: 'aborted' },
  },
  // contained, emptied
  {
    name: 'the commit was skipped',
    end: ({ git }) => git('rebase', '--skip'),
    verdict: { kind: 'emptied', files: ['both.txt', 'new-own.txt', 'own.txt'] },
  },
  {
    name: 'the branch was reset to the new base',
    end: async ({ git, onto }) => {
      await git('rebase', '--abort');
      await git('reset', '-q', '--hard', onto);
    },
    verdict: { kind: 'emptied' },
  },
  {
    name: 'the side of the default branch was taken for everything',
    collision: ONE_LINE,
    end: async ({ git, goOn }) => {
      await git('checkout', '--ours', '.');
      await goOn();
    },
    verdict: { kind: 'emptied', files: ['a.txt'] },
  },
  {
    name: 'an empty commit stands where the work was',
    end: async ({ git }) => {
      await git('rebase', '--skip');
      await git('commit', '-q', '--allow-empty', '-m', 'resolved');
    },
    verdict: { kind: 'emptied' },
  },
  {
    name: 'the default branch has the work already, under another name',
    collision: {
      base: { 'x.txt': 'x\n' },
      main: { 'x.txt': undefined, 'y.txt': 'mine\n' },
      own: { 'x.txt': 'mine\n' },
    },
    end: ({ git }) => git('rebase', '--skip'),
    verdict: { kind: 'contained' },
  },
]);

test('given an agent that went on to a newer default branch itself, when it is judged, then by that one', async () => {
  await using standing = await collide();
  const { yard, at, git, goOn } = standing;
  await goOn({ 'both.txt': BOTH });
  const newest = await yard.commit(yard.source, { 'main.txt': lines() }, 'main takes its own change back');
  await git('fetch', '-q', 'origin');
  await git('rebase', '-q', 'origin/main');

  expect(await standing.judge(newest)).toMatchObject({ kind: 'resolved' });
  await yard.sh(at, 'reset', '-q', '--hard', 'origin/main');
  expect(await standing.judge(newest)).toMatchObject({ kind: 'emptied' });
});

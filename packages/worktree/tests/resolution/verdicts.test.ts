/** The table of verdicts: each way of ending a conflict, on real git. */
import { describe, expect, test } from 'vitest';
import { BRANCH } from '../support.ts';
import { BOTH, type Collision, PLAIN, type Standing, collide, lines } from './yard.ts';

interface Case {
  readonly name: string;
  readonly collision?: Collision;
  readonly end: (standing: Standing) => Promise<unknown>;
  readonly verdict: object;
}

const theirs = (standing: Standing): Promise<unknown> => standing.git('checkout', '--theirs', '.');

/** Both files conflict, so that a choice for one side leaves something of the other. */
const TWO: Collision = {
  base: PLAIN.base ?? {},
  main: { ...PLAIN.main, 'far.txt': lines({ 3: 'three of main' }) },
  own: { ...PLAIN.own, 'far.txt': lines({ 3: 'three of mine' }) },
};
const DELETED: Collision = {
  base: PLAIN.base ?? {},
  main: { ...PLAIN.main, 'far.txt': undefined },
  own: { ...PLAIN.own, 'far.txt': lines({ 3: 'three of mine' }) },
};
const ONE_LINE: Collision = { main: { 'a.txt': 'main\n' }, own: { 'a.txt': 'mine\n' } };
const MARKED = lines({
  2: '<<<<<<< HEAD\ntwo of main\n=======\ntwo of mine\n>>>>>>> by the worker',
  12: 'more of mine',
  18: 'more of main',
});
const GUIDE = 'Conflicts look so:\n<<<<<<< HEAD\nyours\n=======\nmine\n>>>>>>> topic\n';
const GUIDED: Collision = {
  base: { ...PLAIN.base, 'guide.md': GUIDE },
  main: PLAIN.main,
  own: { ...PLAIN.own, 'guide.md': `${GUIDE}Twice:\n${GUIDE}`, 'fixture.txt': GUIDE },
};

const cases: readonly Case[] = [
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
  // markers
  {
    name: 'the markers were committed',
    end: ({ goOn }) => goOn(),
    verdict: { kind: 'markers', markers: [{ path: 'both.txt', line: 2 }, { line: 4 }, { line: 6 }] },
  },
  {
    name: 'one marker was left',
    end: ({ goOn }) =>
      goOn({ 'both.txt': lines({ 2: 'two of main\n=======\ntwo of mine', 12: 'more of mine', 18: 'more of main' }) }),
    verdict: { kind: 'markers', markers: [{ path: 'both.txt', line: 3, text: '=======' }] },
  },
  {
    name: 'a file with markers was added under another name',
    end: ({ goOn }) => goOn({ 'both.txt': BOTH, 'both.txt.orig': MARKED }),
    verdict: { kind: 'markers', markers: [{ path: 'both.txt.orig' }, { path: 'both.txt.orig' }] },
  },
  {
    name: 'markers of twenty characters were committed',
    collision: { ...PLAIN, base: { ...PLAIN.base, '.gitattributes': '*.txt conflict-marker-size=20\n' } },
    end: ({ goOn }) => goOn(),
    verdict: { kind: 'markers', markers: [{ text: `${'<'.repeat(20)} HEAD` }, { text: '='.repeat(20) }, {}] },
  },
  {
    name: 'markers of four characters were committed',
    collision: { ...PLAIN, base: { ...PLAIN.base, '.gitattributes': '*.txt conflict-marker-size=4\n' } },
    end: ({ goOn }) => goOn(),
    verdict: { kind: 'markers', markers: [{ text: '<<<< HEAD' }, { text: '====' }, {}] },
  },
  {
    name: 'markers were committed in a file that is said to be binary',
    end: async ({ yard, at, goOn }) => {
      await yard.write(at, { '.gitattributes': '* -diff -text binary\n' });
      await goOn();
    },
    verdict: { kind: 'markers' },
  },
  {
    name: 'markers were committed in a file with the line ends of Windows',
    collision: {
      base: { 'w.txt': 'a\r\nb\r\n' },
      main: { 'w.txt': 'a\r\nmain\r\n' },
      own: { 'w.txt': 'a\r\nmine\r\n' },
    },
    end: ({ goOn }) => goOn(),
    verdict: { kind: 'markers', markers: [{}, {}, {}] },
  },
  {
    name: 'markers were committed beside text of the work that looks like them',
    collision: GUIDED,
    end: ({ goOn }) => goOn(),
    verdict: { kind: 'markers', markers: [{ path: 'both.txt' }, { path: 'both.txt' }, { path: 'both.txt' }] },
  },
  // lost-own
  {
    name: 'one of two conflicted files was taken from the default branch',
    collision: TWO,
    end: async ({ git, goOn }) => {
      await git('checkout', '--ours', 'far.txt');
      await goOn({ 'both.txt': BOTH });
    },
    verdict: { kind: 'lost-own', files: ['far.txt'] },
  },
  {
    name: 'a file of the work was taken back while its conflict was resolved',
    end: async ({ git, goOn, onto }) => {
      await git('checkout', onto, '--', 'own.txt');
      await goOn({ 'both.txt': BOTH });
    },
    verdict: { kind: 'lost-own', files: ['own.txt'] },
  },
  {
    name: 'a new file of the work was deleted',
    end: ({ goOn }) => goOn({ 'both.txt': BOTH, 'new-own.txt': undefined }),
    verdict: { kind: 'lost-own', files: ['new-own.txt'] },
  },
  {
    name: 'the conflicted file was emptied',
    end: ({ goOn }) => goOn({ 'both.txt': '' }),
    verdict: { kind: 'lost-own', files: ['both.txt'] },
  },
  {
    name: 'the conflicted file was deleted',
    end: ({ goOn }) => goOn({ 'both.txt': undefined }),
    verdict: { kind: 'lost-own', files: ['both.txt'] },
  },
  {
    name: 'the conflicted file is as it was before both',
    end: ({ goOn }) => goOn({ 'both.txt': lines() }),
    verdict: { kind: 'lost-own', files: ['both.txt'] },
  },
  {
    name: 'a commit was made on the new base, and the work was lost',
    end: async ({ yard, at, git }) => {
      await git('rebase', '--skip');
      await yard.commit(at, { 'notes.txt': 'resolved\n' }, 'resolved');
    },
    verdict: { kind: 'lost-own', files: ['both.txt', 'new-own.txt', 'own.txt'] },
  },
  // undone-others
  {
    name: 'the file of the work was taken whole, over other lines of the default branch',
    end: async ({ goOn, ...standing }) => {
      await theirs({ goOn, ...standing });
      await goOn();
    },
    verdict: { kind: 'undone-others', files: ['both.txt'] },
  },
  {
    name: 'a file that only the default branch had changed is as before',
    end: ({ goOn }) => goOn({ 'both.txt': BOTH, 'main.txt': lines() }),
    verdict: { kind: 'undone-others', files: ['main.txt'] },
  },
  {
    name: 'the tree of the work was put on the new base as it is',
    end: async ({ git, goOn, orig }) => {
      await git('checkout', orig, '--', '.');
      await git('rm', '-q', '-f', 'new-main.txt');
      await goOn();
    },
    verdict: { kind: 'undone-others', files: ['both.txt', 'main.txt', 'new-main.txt'] },
  },
  {
    name: 'a file that nobody had changed was deleted',
    end: ({ goOn }) => goOn({ 'both.txt': BOTH, 'far.txt': undefined }),
    verdict: { kind: 'undone-others', files: ['far.txt'] },
  },
  {
    name: 'a file that nobody had changed was emptied',
    end: ({ goOn }) => goOn({ 'both.txt': BOTH, 'far.txt': '' }),
    verdict: { kind: 'undone-others', files: ['far.txt'] },
  },
  // resolved
  {
    name: 'both sides are there',
    end: ({ goOn }) => goOn({ 'both.txt': BOTH }),
    verdict: { kind: 'resolved', chosen: [] },
  },
  {
    name: 'both sides are there, and a commit follows that mends something else',
    end: async ({ yard, at, goOn }) => {
      await goOn({ 'both.txt': BOTH });
      await yard.commit(at, { 'main.txt': lines({ 5: 'five of main', 6: 'and mine' }) }, 'mend');
    },
    verdict: { kind: 'resolved' },
  },
  {
    name: 'the default branch was merged instead',
    end: async ({ yard, at, git, onto }) => {
      await git('rebase', '--abort');
      await git('-c', 'rerere.enabled=false', 'merge', onto).catch(() => undefined);
      await yard.commit(at, { 'both.txt': BOTH }, 'merge');
    },
    verdict: { kind: 'resolved' },
  },
  {
    name: 'the side of the work was taken where all of the file conflicts',
    collision: ONE_LINE,
    end: async ({ goOn, ...standing }) => {
      await theirs({ goOn, ...standing });
      await goOn();
    },
    verdict: { kind: 'resolved' },
  },
  {
    name: 'the work had text that looks like markers',
    collision: GUIDED,
    end: ({ goOn }) => goOn({ 'both.txt': BOTH }),
    verdict: { kind: 'resolved' },
  },
  {
    name: 'a headline is underlined in a file that only the work has',
    end: ({ goOn }) => goOn({ 'both.txt': BOTH, 'new-own.txt': 'A title\n=======\nmine\n' }),
    verdict: { kind: 'resolved' },
  },
  {
    name: 'a file that the default branch had deleted was kept',
    collision: DELETED,
    end: ({ goOn }) => goOn({ 'both.txt': BOTH }),
    verdict: { kind: 'resolved', chosen: ['far.txt'] },
  },
  {
    name: 'a file that the default branch had deleted went',
    collision: DELETED,
    end: ({ goOn }) => goOn({ 'both.txt': BOTH, 'far.txt': undefined }),
    verdict: { kind: 'resolved', chosen: ['far.txt'] },
  },
  {
    name: 'one of two binaries was chosen',
    collision: { main: { ...ONE_LINE.main, 'p.bin': 'main\0' }, own: { ...ONE_LINE.own, 'p.bin': 'mine\0' } },
    end: async ({ git, goOn }) => {
      await git('checkout', '--ours', 'p.bin');
      await goOn({ 'a.txt': 'main\nmine\n' });
    },
    verdict: { kind: 'resolved', chosen: ['p.bin'] },
  },
  {
    name: 'the default branch had renamed the file, and both changes are in it',
    collision: {
      base: { 'x.txt': lines() },
      main: { 'x.txt': undefined, 'y.txt': lines({ 2: 'main' }) },
      own: { 'x.txt': lines({ 2: 'mine' }) },
    },
    end: ({ goOn }) => goOn({ 'y.txt': lines({ 2: 'main\nmine' }) }),
    verdict: { kind: 'resolved', chosen: [] },
  },
  {
    name: 'the default branch had renamed the file, and its side was taken',
    collision: {
      base: { 'x.txt': lines(), 'z.txt': 'z\n' },
      main: { 'x.txt': undefined, 'y.txt': lines({ 2: 'main' }) },
      own: { 'x.txt': lines({ 2: 'mine' }), 'z.txt': 'mine\n' },
    },
    end: ({ goOn }) => goOn({ 'y.txt': lines({ 2: 'main' }) }),
    verdict: { kind: 'lost-own', files: ['y.txt'] },
  },
  {
    name: 'both had renamed the file, and one name was kept with both changes',
    collision: {
      base: { 'x.txt': lines() },
      main: { 'x.txt': undefined, 'y.txt': lines({ 2: 'main' }) },
      own: { 'x.txt': undefined, 'z.txt': lines({ 9: 'mine' }) },
    },
    end: ({ goOn }) => goOn({ 'y.txt': lines({ 2: 'main', 9: 'mine' }), 'z.txt': undefined }),
    verdict: { kind: 'resolved' },
  },
  {
    name: 'new files of the work moved with a directory that the default branch renamed, to other names',
    collision: {
      base: { 'old/x.txt': lines(), 'a.txt': 'one\n' },
      main: { 'old/x.txt': undefined, 'new/x.txt': lines(), 'a.txt': 'main\n' },
      own: { 'old/mine.txt': lines({ 1: 'mine' }), 'a.txt': 'mine\n' },
    },
    end: ({ goOn }) =>
      goOn({ 'a.txt': 'main\nmine\n', 'new/theirs.txt': lines({ 1: 'mine' }), 'new/mine.txt': undefined }),
    verdict: { kind: 'resolved' },
  },
];

describe('verdicts', () => {
  test.concurrent.each(cases)(
    'given a conflict, when it ended so: $name, then git says $verdict.kind',
    async ({ collision, end, verdict }) => {
      await using standing = await collide(collision);
      await end(standing);

      expect(await standing.judge()).toMatchObject(verdict);
    },
  );
});

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

/** Resolutions in which nothing is wrong, however odd they look. */
import { BOTH, lines, ONE_LINE, PLAIN, takeOwn, testCases, type Collision } from './yard.ts';

const DELETED: Collision = {
  base: PLAIN.base ?? {},
  main: { ...PLAIN.main, 'far.txt': undefined },
  own: { ...PLAIN.own, 'far.txt': lines({ 3: 'three of mine' }) },
};
const GUIDE = 'Conflicts look so:\n<<<<<<< HEAD\nyours\n=======\nmine\n>>>>>>> topic\n';
const GUIDED: Collision = {
  base: { ...PLAIN.base, 'guide.md': GUIDE },
  main: PLAIN.main,
  own: { ...PLAIN.own, 'guide.md': `${GUIDE}Twice:\n${GUIDE}`, 'fixture.txt': GUIDE },
};

testCases([
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
      await takeOwn({ goOn, ...standing });
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
    name: 'the lock file of the default branch was right for both',
    collision: {
      base: { ...PLAIN.base, 'go.sum': lines() },
      main: { ...PLAIN.main, 'go.sum': lines({ 2: 'main' }) },
      own: { ...PLAIN.own, 'go.sum': lines({ 2: 'mine' }) },
    },
    end: async ({ git, goOn }) => {
      await git('checkout', '--ours', 'go.sum');
      await goOn({ 'both.txt': BOTH });
    },
    verdict: { kind: 'resolved', chosen: ['go.sum'] },
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
]);

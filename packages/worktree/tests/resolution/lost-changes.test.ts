/** Resolutions that have lost changes of one side or the other. */
import { BOTH, lines, PLAIN, takeOwn, testCases, type Collision } from './yard.ts';

/** Conflicts in both files, so that a choice for one side leaves something of the other. */
const TWO: Collision = {
  base: PLAIN.base ?? {},
  main: { ...PLAIN.main, 'far.txt': lines({ 3: 'three of main' }) },
  own: { ...PLAIN.own, 'far.txt': lines({ 3: 'three of mine' }) },
};

testCases([
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
      await takeOwn({ goOn, ...standing });
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
]);

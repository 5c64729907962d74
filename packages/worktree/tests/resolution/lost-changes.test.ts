/** Resolutions that have lost changes of one side or the other. */
import { BOTH, lines, PLAIN, testCases, type Collision } from './yard.ts';

/** Conflicts in both files, so that a choice for one side leaves something of the other. */
const TWO: Collision = {
  base: PLAIN.base ?? {},
  main: { ...PLAIN.main, 'far.txt': lines({ 3: 'three of main' }) },
  own: { ...PLAIN.own, 'far.txt': lines({ 3: 'three of mine' }) },
};

testCases([
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
    name: 'a commit was made on the new base, and the work was lost',
    end: async ({ yard, at, git }) => {
      await git('rebase', '--skip');
      await yard.commit(at, { 'notes.txt': 'resolved\n' }, 'resolved');
    },
    verdict: { kind: 'lost-own', files: ['both.txt', 'new-own.txt', 'own.txt'] },
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
]);

/** Further resolutions that have lost changes of one side or the other. */
import { BOTH, lines, takeOwn, testCases } from './yard.ts';

testCases([
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
    name: 'a file that nobody had changed was emptied',
    end: ({ goOn }) => goOn({ 'both.txt': BOTH, 'far.txt': '' }),
    verdict: { kind: 'undone-others', files: ['far.txt'] },
  },
]);

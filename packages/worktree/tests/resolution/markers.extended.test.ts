/** Conflict markers that an agent committed, among text that only looks like them. */
import { BOTH, lines, PLAIN, testCases, type Collision } from './yard.ts';

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

testCases([
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
]);

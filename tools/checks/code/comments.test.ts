// Checks that each file describes itself and its exports, and holds no leftovers.
import { expect, test } from 'vitest';
import { commentProblems } from './comments.ts';
import { parseSource } from '../source/source.ts';

const HEAD = '// Holds a sample.\n';

test.each([
  ['a comment that begins with a question word', `${HEAD}/** Where it lies. */\nexport const a = 1;`],
  ['a line that begins with a pronoun', `${HEAD}\n// It is there.\nconst a = 1;`],
  ['no head', `import 'node:fs';\n// Holds a sample.`],
  ['a path of one machine', `${HEAD}const a = '/home/eve/x';`],
  ['such a path in a template', `${HEAD}const a = \`\${b} /root/\${c}\`;`],
])('given a file with %s, when it is checked, then that is a problem', (_, text) => {
  expect(commentProblems(parseSource('packages/core/src/a.ts', text))).not.toEqual([]);
});

test.each([
  ['an export without a comment', `${HEAD}export const a = 1;`],
  [
    'a line comment that goes on',
    `${HEAD}// It is the same sentence.
const a = 1;`,
  ],
  ['a re-export', `${HEAD}export { a } from './b.ts';`],
  ['a program line above the head', `#!/usr/bin/env node\n${HEAD}`],
  ['a path that only looks alike', `${HEAD}const a = '.drover/work/x', b = '/workspace/';`],
])('given a file with %s, when it is checked, then that is fine', (_, text) => {
  expect(commentProblems(parseSource('packages/core/src/a.ts', text))).toEqual([]);
});

test('given a test, when it has neither head nor comments, then that is fine, but not an empty first word', () => {
  expect(commentProblems(parseSource('packages/core/src/a.test.ts', 'export const a = 1;'))).toEqual([]);
  expect(commentProblems(parseSource('packages/core/src/a.test.ts', '// It is there.'))).toHaveLength(1);
});

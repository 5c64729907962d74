// Checks that each file describes itself and its exports, and holds no leftovers.
import { expect, test } from 'vitest';
import { commentProblems, LINES_MAX } from './comments.ts';
import { parseSource } from '../source/source.ts';

const HEAD = '// What is this?\n';
const UNFINISHED = ['TO', 'DO'].join('');

test.each([
  ['a function without a comment', `${HEAD}export function a() {}`],
  ['a type without a comment', `${HEAD}export type A = 1;`],
  ['two constants without a comment', `${HEAD}export const a = 1, b = 2;`],
  ['a line comment in place of a doc comment', `${HEAD}// One.\nexport const a = 1;`],
  ['a comment that belongs to something else', `${HEAD}/** One. */\nconst b = 2;\nexport const a = b;`],
  ['no head', `import 'node:fs';\n// What is this?`],
  ['an unfinished word', `${HEAD}// ${UNFINISHED}: more`],
  ['a default export', `${HEAD}/** A. */\nexport default 1;`],
  ['a path of one machine', `${HEAD}const a = '/home/eve/x';`],
  ['such a path in a template', `${HEAD}const a = \`\${b} /root/\${c}\`;`],
  ['too many lines', HEAD.repeat(LINES_MAX + 1)],
])('given a file with %s, when it is checked, then that is a problem', (_, text) => {
  expect(commentProblems(parseSource('packages/core/src/a.ts', text))).not.toEqual([]);
});

test.each([
  ['a documented export', `${HEAD}/** One. */\nexport const a = 1;`],
  [
    'a documented first signature',
    `${HEAD}/** One. */\nexport function a(): 1;\nexport function a(b?: 1) { return b; }`,
  ],
  ['a re-export', `${HEAD}export { a } from './b.ts';`],
  ['a program line above the head', `#!/usr/bin/env node\n${HEAD}`],
  ['a path that only looks alike', `${HEAD}const a = '.drover/work/x', b = '/workspace/';`],
])('given a file with %s, when it is checked, then that is fine', (_, text) => {
  expect(commentProblems(parseSource('packages/core/src/a.ts', text))).toEqual([]);
});

test('given a test, when it has neither head nor comments, then that is fine, but not unfinished words', () => {
  expect(commentProblems(parseSource('packages/core/src/a.test.ts', 'export const a = 1;'))).toEqual([]);
  expect(commentProblems(parseSource('packages/core/src/a.test.ts', `// ${UNFINISHED}`))).toHaveLength(1);
});

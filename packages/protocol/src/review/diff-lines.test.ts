import { expect, test } from 'vitest';
import { diffLines } from './diff-lines.ts';

/** `path:after-or-minus-before` and the text of each line. */
function told(diff: string): string[] {
  return [...diffLines(diff)].map(({ path, kind, before, after, text }) => {
    const sign = { added: '+', removed: '-', kept: ' ' }[kind];
    return `${path}:${before ?? ''}:${after ?? ''}${sign}${text}`;
  });
}

const DIFF = [
  'diff --git a/a.ts b/a.ts',
  'index 1..2 100644',
  '--- a/a.ts',
  '+++ b/a.ts',
  '@@ -1,3 +1,3 @@ function a()',
  ' kept',
  '--- a/old',
  '+++ b/new\r',
  ' \u2028end',
  '@@ -9 +9,2 @@',
  ' last',
  '+more',
  '\\ No newline at end of file',
  'diff --git a/gone b/gone',
  '--- a/gone',
  '+++ /dev/null',
  '@@ -1,1 +0,0 @@',
  '-x',
  'diff --git a/mode b/mode',
  'old mode 100644',
  'new mode 100755',
  'diff --git "a/odd\\n\\"\\033\\\\.ts" "b/odd\\n\\"\\033\\\\.ts"',
  '--- /dev/null',
  '+++ "b/odd\\n\\"\\033\\\\.ts"',
  '@@ -0,0 +1 @@',
  '+y',
  'diff --git a/with blank b/with blank',
  '--- a/with blank\t',
  '+++ b/with blank\t',
  '@@ -1 +1 @@',
  '-1',
  '+2',
  '',
].join('\n');

test('given lines that look like heads of a diff, odd names and other line ends, when read, then each has its place', () => {
  expect(told(DIFF)).toEqual([
    'a.ts:1:1 kept',
    'a.ts:2:--- a/old',
    'a.ts::2+++ b/new\r',
    'a.ts:3:3 \u2028end',
    'a.ts:9:9 last',
    'a.ts::10+more',
    'gone:1:-x',
    'odd\n"\u001b\\.ts::1+y',
    'with blank:1:-1',
    'with blank::1+2',
  ]);
});

test('given a diff that was cut, when read, then the line before the cut is left out', () => {
  const cut = '--- a/a\n+++ b/a\n@@ -0,0 +1,9 @@\n+one\n+two\n+thr';

  expect(told(cut)).toEqual(['a::1+one', 'a::2+two']);
  expect(told(`${cut}[redacted]\n[the diff is longer]\n`)).toEqual(['a::1+one', 'a::2+two']);
});

test('given a hunk from which lines were taken out, when read, then none of its lines has a number, and the next ones have', () => {
  const diff = '--- a/a\n+++ b/a\n@@ -1,2 +1,5 @@\n kept\n+[redacted]\n@@ -9 +12 @@\n-x\n+y\n';

  expect(told(diff)).toEqual(['a:9:-x', 'a::12+y']);
});

test('given text that is no diff, when read, then it has no lines', () => {
  for (const text of ['', '\n', '+work', '@@ -1 +1 @@\n+x', 'a.ts | +1 -0']) expect(told(text)).toEqual([]);
});

import { expect, test } from 'vitest';
import { closedBecause, readDiff } from './diff-files.ts';

const DIFF = `diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,2 +1,3 @@
 kept
-old
+diff --git a/fake b/fake
+new
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/logo.png b/logo.png
index 1..2 100644
Binary files a/logo.png and b/logo.png differ
diff --git a/from.ts b/to.ts
similarity index 100%
rename from from.ts
rename to to.ts
`;

test('given a diff with lines, a mode, a binary and a renamed file, when read, then each file is told apart', () => {
  const { files, isCut } = readDiff(DIFF);

  expect(files.map(({ path, added, removed, isBinary }) => [path, added, removed, isBinary])).toEqual([
    ['src/a.ts', 2, 1, false],
    ['run.sh', 0, 0, false],
    ['logo.png', 0, 0, true],
    ['to.ts', 0, 0, false],
  ]);
  expect(files[1]?.heads).toEqual(['old mode 100644', 'new mode 100755']);
  expect(isCut).toBe(false);
});

test('given a line of a file that looks like the head of a file, then it is a line and no file', () => {
  expect(readDiff(DIFF).files[0]?.lines.map(({ text }) => text)).toEqual([
    'kept',
    'old',
    'diff --git a/fake b/fake',
    'new',
  ]);
});

test('given a last file without a line feed at its end, then its last line is there', () => {
  const { files } = readDiff('diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+one');

  expect(files[0]?.lines.map(({ text }) => text)).toEqual(['one']);
});

test('given nothing, then there is no file', () => {
  expect(readDiff('')).toEqual({ files: [], isCut: false });
});

test.each([
  [10, 0, null],
  [2_000, 1_000, null],
  [2_001, 0, '2001 lines'],
  [10, 2_991, 'the files above fill the page'],
])('given a file of %d lines below %d open ones, then it is closed because: %s', (count, before, reason) => {
  const line = { path: 'a', kind: 'kept', before: 1, after: 1, text: '' } as const;
  const file = {
    path: 'a',
    heads: [],
    lines: Array.from({ length: count }, () => line),
    added: 0,
    removed: 0,
    isBinary: false,
  };

  expect(closedBecause(file, before)).toBe(reason);
});

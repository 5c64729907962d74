import { expect, test } from 'vitest';
import { readDiff } from './diff-files.ts';
import { isViewed, readMemory, readViewed, remember, seenOf, sinceSeen, withViewed } from './seen.ts';

function filesOf(...contents: readonly (readonly [path: string, text: string])[]) {
  const diff = contents.map(
    ([path, text]) => `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -0,0 +1,1 @@\n+${text}\n`,
  );
  return readDiff(diff.join('')).files;
}

test('given a file that was viewed, when it changes, then its mark falls, and the marks of others stay', () => {
  const [a, b] = filesOf(['a', 'one'], ['b', 'one']);
  const [changed] = filesOf(['a', 'two']);
  if (a === undefined || b === undefined || changed === undefined) return expect.unreachable();
  const viewed = readViewed(JSON.stringify(withViewed(withViewed({}, a, true), b, true)));

  expect([isViewed(viewed, a), isViewed(viewed, b), isViewed(viewed, changed)]).toEqual([true, true, false]);
  expect(isViewed(withViewed(viewed, b, false), b)).toBe(false);
});

test('given work that was seen, when its commit moves, then each file says whether it changed since, also after a reload', () => {
  const first = remember(null, seenOf('c1', filesOf(['same', 'x'], ['changed', 'x'], ['gone', 'x'])));
  expect(sinceSeen(first)).toBeNull();
  const kept = JSON.stringify(first);

  const second = remember(readMemory(kept), seenOf('c2', filesOf(['same', 'x'], ['changed', 'y'], ['new', 'x'])));
  const again = remember(readMemory(JSON.stringify(second)), second.now);

  const since = sinceSeen(again);
  expect(['same', 'changed', 'new'].map((path) => since?.of(path))).toEqual(['same', 'changed', 'new']);
  expect(since?.gone).toEqual(['gone']);
});

test('given anything else that is kept, then nothing was seen, and nothing is marked', () => {
  for (const kept of ['', '{', '[]', '{"now":{"head":1}}', 'null']) expect(readMemory(kept)).toBeNull();
  for (const kept of ['', '[]', '{"a":1}']) expect(readViewed(kept)).toEqual({});
});

import { describe, expect, test } from 'vitest';
import { chainOf } from '../overlap.ts';

function chains(...paths: readonly (readonly string[])[]): readonly (number | null)[] {
  return chainOf(paths.map((own, at) => ({ title: `P${at}`, prompt: 'Do it', paths: own })));
}

describe('parts in sequence', () => {
  test.each([
    ['different folders', [['src/a'], ['src/b']], [null, null]],
    ['the same file', [['src/a.ts'], ['src/a.ts']], [null, 0]],
    ['a file in the folder of another', [['src/a'], ['src/a/b.ts']], [null, 0]],
    ['names that only begin alike', [['src/a'], ['src/ab']], [null, null]],
    ['a wildcard over a folder', [['src/**'], ['src/a.ts'], ['docs']], [null, 0, null]],
    ['a wildcard in the root', [['src/a.ts'], ['*.md']], [null, 0]],
    ['another case of the same name, one on some disks', [['src/Readme.md'], ['src/README.md']], [null, 0]],
    ['a part without paths', [['src/a'], []], [null, 0]],
    ['a part that touches two others', [['a'], ['b'], ['a', 'b']], [null, 0, 1]],
    ['a folder written in two ways', [['./src/a/'], ['src/a']], [null, 0]],
  ])(
    'given %s, when chains are made, then each comes after the last before it that may touch the same',
    (_what, paths, expected) => {
      expect(chains(...paths)).toEqual(expected);
    },
  );
});

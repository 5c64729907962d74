import { expect, test } from 'vitest';
import { lineOf, tomlLines } from './toml-lines.ts';

const TEXT = `top = 1
[a."b c"]      # a comment = 1
text = """
[not.a.table]
key = 2 "quoted" # no comment
"""
list = [
  ["x"],
  ["]"]
]
'q'.r = { s = 1 }
one = """x"""
last = 2`;

test('given strings and lists over several lines, when lines are looked up, then only real keys have one', () => {
  const lines = tomlLines(TEXT);

  expect(Object.fromEntries([...lines].map(([key, line]) => [key.replaceAll('\0', '/'), line]))).toEqual({
    top: 1,
    'a/b c': 2,
    'a/b c/text': 3,
    'a/b c/list': 7,
    'a/b c/q/r': 11,
    'a/b c/one': 12,
    'a/b c/last': 13,
  });
});

test('given a key inside an inline table, when its line is asked for, then it is the line of the table', () => {
  const lines = tomlLines(TEXT);

  expect(lineOf(lines, ['a', 'b c', 'q', 'r', 's'])).toBe(11);
  expect(lineOf(lines, ['elsewhere'])).toBeUndefined();
});

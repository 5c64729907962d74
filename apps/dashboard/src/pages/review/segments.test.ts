import type { DiffLine } from '@drover/protocol/diff-lines';
import { expect, test } from 'vitest';
import { tokensOf } from './highlight.ts';
import { changedWords, segmentsOf } from './segments.ts';

function line(kind: DiffLine['kind'], text: string): DiffLine {
  return { path: 'a.ts', kind, before: 1, after: 1, text };
}

test('given a line with tokens and a marked part, when it is cut, then every character is there once, in its token, and marked or not', () => {
  const tokens = [
    { from: 0, to: 5, name: 'keyword' },
    { from: 8, to: 10, name: 'number' },
  ];

  const segments = segmentsOf('const a=42;', tokens, { from: 6, to: 9 });

  expect(segments.map(({ text }) => text).join('')).toBe('const a=42;');
  expect(segments).toEqual([
    { text: 'const', name: 'keyword', isMarked: false },
    { text: ' ', name: null, isMarked: false },
    { text: 'a=', name: null, isMarked: true },
    { text: '4', name: 'number', isMarked: true },
    { text: '2', name: 'number', isMarked: false },
    { text: ';', name: null, isMarked: false },
  ]);
  expect(segmentsOf('', [], null)).toEqual([]);
});

test.each([
  ['a changed word', 'let port = 80;', 'let port = 8080;', ['80', '8080']],
  ['words that are new', 'if (a) run();', 'if (a && b) run();', [undefined, ' && b']],
  ['lines without anything in common', 'abc def', 'uvw xyz', [undefined, undefined]],
  ['the same line with other ends', 'a\r', 'a', ['\r', undefined]],
])('given %s, then exactly that is marked', (_, before, after, marked) => {
  const lines = [line('kept', 'x'), line('removed', before), line('added', after)];
  const words = changedWords(lines);
  expect(
    lines.slice(1).map((one) => {
      const span = words(one);
      return span === undefined ? undefined : one.text.slice(span.from, span.to);
    }),
  ).toEqual(marked);
});

test('given more added lines than removed ones, then no words are marked', () => {
  const lines = [line('removed', 'a b'), line('added', 'a c'), line('added', 'd')];
  expect(lines.map(changedWords(lines))).toEqual([undefined, undefined, undefined]);
});

test('given code, when its tokens are found, then each side is read by itself, and a text over several lines stays one', () => {
  const lines = [line('kept', 'const a = `x'), line('removed', 'old'), line('added', 'new 1'), line('kept', 'y`;')];

  const tokens = tokensOf('a.ts', lines);

  expect(tokens.get(lines[0] as DiffLine)?.[0]).toEqual({ from: 0, to: 5, name: 'keyword' });
  expect(tokens.get(lines[2] as DiffLine)).toEqual([{ from: 0, to: 5, name: 'string' }]);
  expect(tokens.get(lines[1] as DiffLine)).toEqual([{ from: 0, to: 3, name: 'string' }]);
  expect(tokensOf('a.unknown', lines).size).toBe(0);
});

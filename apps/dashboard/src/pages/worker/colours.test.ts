import { expect, test } from 'vitest';
import { runsOf } from './colours.ts';

/** Writes runs short: the text, and what its style has beside the plain one. */
function told(row: string): readonly string[] {
  return runsOf(row).map(({ text, style }) => {
    const flags = (['bold', 'dim', 'italic', 'underline', 'inverse'] as const).filter((name) => style[name]);
    const colour = (name: 'front' | 'back'): string[] => {
      const one = style[name];
      return one === null ? [] : [`${name} ${one.kind === 'named' ? one.index : one.css}`];
    };
    return [text, ...flags, ...colour('front'), ...colour('back')].join(' | ');
  });
}

test.each([
  ['plain', ['plain']],
  ['\u001b[1;31mred\u001b[0m plain', ['red | bold | front 1', ' plain']],
  ['\u001b[97;44mx\u001b[39my\u001b[49mz', ['x | front 15 | back 4', 'y | back 4', 'z']],
  [
    '\u001b[38;5;208mx\u001b[48;5;244my',
    ['x | front rgb(255 135 0)', 'y | front rgb(255 135 0) | back rgb(128 128 128)'],
  ],
  ['\u001b[38;5;3mx', ['x | front 3']],
  ['\u001b[38;2;1;2;300;1mx', ['x | bold | front rgb(1 2 255)']],
  ['\u001b[38:2:9:8:7mx', ['x | front rgb(9 8 7)']],
  ['\u001b[1mx\u001b[22my\u001b[mz', ['x | bold', 'y', 'z']],
])('given the row %j, then its runs are %j', (row, runs) => {
  expect(told(row)).toEqual(runs);
});

test.each([
  ['a move of the cursor', 'a\u001b[2Jb\u001b[10;5Hc'],
  ['a link', 'a\u001b]8;;javascript:alert(1)\u001b\\b\u001b]8;;\u0007c'],
  ['a title', 'a\u001b]0;title\u0007bc'],
  ['a set of characters', 'a\u001b(Bbc'],
  ['a private mode', 'a\u001b[?1049hbc'],
  ['a sequence without an end', 'abc\u001b['],
])('given %s in a row, then nothing but the text is left', (_, row) => {
  expect(
    runsOf(row)
      .map(({ text }) => text)
      .join(''),
  ).toBe('abc');
});

test('given a colour of absurd numbers, then it is a colour, and can hold nothing else', () => {
  const [run] = runsOf('\u001b[38;2;999999999999999999999;;5mx');

  expect(run?.style.front).toEqual({ kind: 'own', css: 'rgb(255 0 5)' });
});

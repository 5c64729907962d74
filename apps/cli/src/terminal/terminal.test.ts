import { expect, test } from 'vitest';
import { paint } from './style.ts';
import { areColorsWanted, frame } from './terminal.ts';

test('given lines, when they are drawn, then each ends by clearing its rest, and all below is cleared', () => {
  expect(frame(['a', 'b'])).toBe('\u001b[Ha\u001b[K\r\nb\u001b[K\u001b[J');
});

test('given a line with sequences from outside, when it is drawn, then they are shown and not carried out', () => {
  expect(frame([`${paint('a', 'green', true)}\u001b[2J\u202e`])).toBe(
    '\u001b[H\u001b[32ma\u001b[39m⟨U+001B⟩[2J⟨U+202E⟩\u001b[K\u001b[J',
  );
});

test.each([
  ['a terminal', { isTerminal: true }, true],
  ['a pipe', { isTerminal: false }, false],
  ['NO_COLOR on a terminal', { isTerminal: true, noColor: true }, false],
  ['CLICOLOR=0 on a terminal', { isTerminal: true, variables: { CLICOLOR: '0' } }, false],
  ['FORCE_COLOR=1 in a pipe', { isTerminal: false, variables: { FORCE_COLOR: '1' } }, true],
  ['FORCE_COLOR=0 in a pipe', { isTerminal: false, variables: { FORCE_COLOR: '0' } }, false],
  ['CLICOLOR_FORCE=1 in a pipe', { isTerminal: false, variables: { CLICOLOR_FORCE: '1' } }, true],
  ['NO_COLOR against FORCE_COLOR=1', { isTerminal: true, noColor: true, variables: { FORCE_COLOR: '1' } }, false],
  ['--color=always against NO_COLOR in a pipe', { isTerminal: false, noColor: true, choice: 'always' }, true],
  ['--color=never on a terminal', { isTerminal: true, choice: 'never' }, false],
] as const)('given %s, when colors are decided, then the answer is %j: %s', (_given, given, wanted) => {
  const { noColor, variables, isTerminal, choice } = {
    noColor: false,
    variables: {},
    choice: 'auto' as const,
    ...given,
  };

  expect(areColorsWanted({ noColor, variables }, { isTerminal, choice })).toBe(wanted);
});

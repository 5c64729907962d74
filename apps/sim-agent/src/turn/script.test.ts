import { expect, test } from 'vitest';
import { KEYWORDS, parseScript } from './script.ts';

const kinds = (prompt: string): string[] => parseScript(prompt).map(({ step }) => step.kind);

test('given steps within prose, when the prompt is parsed, then only lines that begin with a keyword are steps', () => {
  const prompt = [
    'You are a careful developer; SAY nothing of this.',
    '  SAY hello',
    'Then COMMIT your work.',
    'COMMIT a message',
  ].join('\n');

  expect(parseScript(prompt).map(({ step }) => step)).toEqual([
    { kind: 'say', text: 'hello' },
    { kind: 'commit', message: 'a message' },
  ]);
});

test('given steps on one line, when it is parsed, then a semicolon separates only where a keyword follows', () => {
  const steps = parseScript('PERMISSION Bash cd a; ls; SAY one; EDIT a.txt x;').map(({ step }) => step);

  expect(steps).toEqual([
    { kind: 'permission', tool: 'Bash', subject: 'cd a; ls' },
    { kind: 'say', text: 'one' },
    { kind: 'edit', path: 'a.txt', text: 'x' },
  ]);
});

test('given a line with ONCE:, when it is parsed, then its steps carry the whole line as their mark', () => {
  const steps = parseScript('ONCE: CRASH 7\nSAY after');

  expect(steps).toEqual([
    { step: { kind: 'crash', code: 7 }, once: 'ONCE: CRASH 7' },
    { step: { kind: 'say', text: 'after' }, once: undefined },
  ]);
});

test('given every keyword without its arguments, when it is parsed, then it is one step', () => {
  const words = Object.keys(KEYWORDS);

  const parsed = words.map((word) => kinds(word).length);

  expect(parsed).toEqual(words.map(() => 1));
});

test('given words that only resemble keywords, when the prompt is parsed, then there is no step', () => {
  expect(kinds('Say hello\nSAYING hello\nSAY: hello\nconstructor\n')).toEqual([]);
});

import { BUILT_IN_PROFILES, type Profile } from '@drover/screen';
import { expect, test } from 'vitest';
import { planTyping } from './typing.ts';

function claude(): Profile {
  const profile = BUILT_IN_PROFILES.get('claude');
  if (profile === undefined) throw new Error('the profile "claude" is missing');
  return profile;
}

const ONE_LINE = { method: 'profile', settleMs: 0 } as const;

test('given a short line, when it is planned, then it is pasted', () => {
  expect(planTyping(claude(), { ...ONE_LINE, text: 'hello' })).toMatchObject({ text: 'hello', how: { kind: 'paste' } });
});

test('given more lines than the program shows of a paste, when it is planned, then it is typed in pieces', () => {
  const plan = planTyping(claude(), { ...ONE_LINE, text: 'a\nb\nc\nd' });

  expect(plan).toMatchObject({ how: { kind: 'keys', chunk: 60, gapMs: 20 } });
});

test('given a text too long to type in reasonable time, when it is planned, then it is pasted', () => {
  expect(planTyping(claude(), { ...ONE_LINE, text: 'line\n'.repeat(5_000) })).toMatchObject({ how: { kind: 'paste' } });
});

test('given an order that names a method, when it is planned, then the profile is not asked', () => {
  expect(planTyping(claude(), { text: 'x', method: 'typed', settleMs: 0 })).toMatchObject({ how: { kind: 'keys' } });
  expect(planTyping(claude(), { text: 'a\nb\nc\nd', method: 'buffer', settleMs: 200 })).toMatchObject({
    how: { kind: 'paste' },
    settleMs: 200,
  });
});

test('given first and last characters with a meaning of their own, when planned, then a space takes it away', () => {
  expect(planTyping(claude(), { ...ONE_LINE, text: '!rm' })).toMatchObject({ text: ' !rm' });
  expect(planTyping(claude(), { ...ONE_LINE, text: 'path\\' })).toMatchObject({ text: 'path\\ ' });
});

test('given tabs in a text that is typed, when it is planned, then they are spaces: a typed tab is a key', () => {
  expect(planTyping(claude(), { text: 'a\tb', method: 'typed', settleMs: 0 })).toMatchObject({ text: 'a    b' });
});

test('given a command of the program, when it is planned, then it is not typed; a path is no command', () => {
  expect(planTyping(claude(), { ...ONE_LINE, text: ' /clear now' })).toEqual({ kind: 'command', word: '/clear' });
  expect(planTyping(claude(), { ...ONE_LINE, text: '/etc/hosts is wrong' })).toMatchObject({ kind: 'type' });
});

test('given more than any box takes, when it is planned, then it is too long', () => {
  expect(planTyping(claude(), { ...ONE_LINE, text: 'x'.repeat(1_048_577) })).toMatchObject({ kind: 'too-long' });
});

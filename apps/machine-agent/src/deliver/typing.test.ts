import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { BUILT_IN_PROFILES, type Profile } from '@drover/screen';
import { expect, test } from 'vitest';
import { planTyping } from './typing.ts';

const claude = (): Profile => named('claude');

function named(id: string): Profile {
  const profile = BUILT_IN_PROFILES.get(id);
  if (profile === undefined) throw new Error(`the profile "${id}" is missing`);
  return profile;
}

const ONE_LINE = { method: 'profile', settleMs: 0 } as const;

test('given a short line, when it is planned, then it is pasted', () => {
  expect(planTyping(claude(), { ...ONE_LINE, text: 'hello' })).toMatchObject({ text: 'hello', how: { kind: 'paste' } });
});

test('given texts that the program would alter as one paste, when they are planned, then each piece is below its limits and nothing is lost', () => {
  const text = string({ unit: 'grapheme', maxLength: 900 });
  const line = oneof(constantFrom('', 'a line', '漢字 🙂'), text);
  assert(
    property(array(line, { minLength: 4, maxLength: 12 }), (lines) => {
      const plan = planTyping(claude(), { ...ONE_LINE, text: `start${lines.join('\n')}end` });
      if (plan.kind !== 'type' || plan.text.length > 12_000) return;

      expect(plan.how.kind).toBe('pieces');
      if (plan.how.kind !== 'pieces') return;
      expect(plan.how.pieces.join('')).toBe(plan.text);
      for (const piece of plan.how.pieces) {
        expect(piece.split('\n').length).toBeLessThan(4);
        expect(piece.length).toBeLessThan(800);
      }
    }),
  );
});

test('given a text too long for pieces, when it is planned, then a file holds it where a paste would be altered', () => {
  const long = { ...ONE_LINE, text: 'line\n'.repeat(5_000) };

  expect(planTyping(claude(), long)).toMatchObject({
    kind: 'file',
    why: 'Claude Code would wrap a text of 24999 characters',
  });
  expect(planTyping(named('codex'), long)).toMatchObject({ how: { kind: 'paste' } });
});

test('given a command that names a method, when it is planned, then the profile is not asked', () => {
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
  expect(planTyping(claude(), { ...ONE_LINE, text: ' /clear now' })).toMatchObject({ kind: 'file' });
  expect(planTyping(claude(), { ...ONE_LINE, text: '/etc/hosts is wrong' })).toMatchObject({ kind: 'type' });
});

test('given more than any box takes, when it is planned, then it is too long', () => {
  expect(planTyping(claude(), { ...ONE_LINE, text: 'x'.repeat(1_048_577) })).toMatchObject({ kind: 'too-long' });
});

test('given any text for any program, when it is planned, then no control is typed, and nothing that the program takes for a command', () => {
  const profiles = [...BUILT_IN_PROFILES.values()];
  const start = constantFrom('', ' ', '\n', '\ufeff', '\u001b', '\r', '\u0000', '\u009b');
  const sign = constantFrom('/', '!', '#', '@', '');
  const words = oneof(constantFrom('clear', 'rm -rf x', ' quit now', 'etc/hosts is wrong'), string({ unit: 'binary' }));
  const method = constantFrom<'profile' | 'typed' | 'buffer'>('profile', 'typed', 'buffer');
  assert(
    property(constantFrom(...profiles), start, sign, words, method, (profile, before, char, after, by) => {
      const plan = planTyping(profile, { text: `${before}${char}${after}`, method: by, settleMs: 0 });
      if (plan.kind !== 'type') return;

      // oxlint-disable-next-line no-control-regex -- controls are what must not be there
      expect(plan.text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      for (const { char: special } of profile.typing.leading) {
        const isPath = special === '/' && !/^\/[A-Za-z][\w:-]*(\s|$)/.test(plan.text);
        expect(plan.text.startsWith(special) && !isPath).toBe(false);
      }
    }),
  );
});

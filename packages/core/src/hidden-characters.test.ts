import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countHidden, escapeHidden, showHidden, shownNameProblem } from './hidden-characters.ts';

/** Named one by one, so that the test does not repeat the properties that the code relies on. */
const HIDDEN: readonly (readonly [string, string])[] = [
  ['\0', 'U+0000'],
  ['\u0007', 'U+0007'],
  ['\r', 'U+000D'],
  ['\u001b', 'U+001B'],
  ['\u007f', 'U+007F'],
  ['\u0085', 'U+0085'],
  ['\u009b', 'U+009B'],
  ['\u009d', 'U+009D'],
  ['\u00ad', 'U+00AD'],
  ['\u034f', 'U+034F'],
  ['\u061c', 'U+061C'],
  ['\u115f', 'U+115F'],
  ['\u180e', 'U+180E'],
  ['\u200b', 'U+200B'],
  ['\u200c', 'U+200C'],
  ['\u200d', 'U+200D'],
  ['\u200e', 'U+200E'],
  ['\u200f', 'U+200F'],
  ['\u2028', 'U+2028'],
  ['\u2029', 'U+2029'],
  ['\u202a', 'U+202A'],
  ['\u202e', 'U+202E'],
  ['\u2060', 'U+2060'],
  ['\u2064', 'U+2064'],
  ['\u2066', 'U+2066'],
  ['\u2069', 'U+2069'],
  ['\u3164', 'U+3164'],
  ['\ufe0f', 'U+FE0F'],
  ['\ufeff', 'U+FEFF'],
  ['\ufff9', 'U+FFF9'],
  ['\uffff', 'U+FFFF'],
  ['\ud800', 'U+D800'],
  ['\udc00', 'U+DC00'],
  ['\u{1d173}', 'U+1D173'],
  ['\u{e0001}', 'U+E0001'],
  ['\u{e0041}', 'U+E0041'],
  ['\u{e007f}', 'U+E007F'],
  ['\u{e0100}', 'U+E0100'],
];

test.each(HIDDEN)('given %j in a text, when it is shown, then its mark %s stands there', (char, name) => {
  expect(showHidden(`a${char}b`)).toBe(`a⟨${name}⟩b`);
  expect(countHidden(`a${char}b${char}`)).toBe(2);
});

test.each(['', 'plain\n\ttext', 'ä ß 日本語 עברית', '👩‍👩‍👧 👍🏽 ✳\ufe0e ❤️ 1️⃣ 🏳️‍🌈 ⟨U+202E⟩', 'e\u0301'])(
  'given %j, when it is shown, then it is unchanged',
  (text) => {
    expect(showHidden(text)).toBe(text);
    expect(countHidden(text)).toBe(0);
  },
);

test('given joiners and selectors that belong to no emoji, when they are shown, then each has its mark', () => {
  expect(showHidden('👍\u200d a\ufe0f 1\ufe0f ❤️\ufe0f')).toBe('👍⟨U+200D⟩ a⟨U+FE0F⟩ 1⟨U+FE0F⟩ ❤️⟨U+FE0F⟩');
});

const anyText = fc.string({ unit: 'binary' });
const hostile = fc
  .array(fc.oneof(anyText, fc.constantFrom(...HIDDEN.map(([char]) => char), '👩‍👧', '❤️', '\u001b[31m', '⟨U+')))
  .map((parts) => parts.join(''));

test('given any text, when it is shown, then no terminal carries out a part of it, and shown again it is the same', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const when = showHidden(text);

      // oxlint-disable-next-line no-control-regex -- controls are what must not be there
      expect(when).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      expect(when.isWellFormed()).toBe(true);
      expect(countHidden(when)).toBe(0);
      expect(showHidden(when)).toBe(when);
    }),
  );
});

test('given any value as JSON, when its hidden characters are escaped, then it is visible and parses to the same value', () => {
  fc.assert(
    fc.property(fc.record({ [`\u202e`]: hostile, list: fc.array(hostile) }), (value) => {
      const when = escapeHidden(JSON.stringify(value, null, 2));

      expect(countHidden(when)).toBe(0);
      expect(JSON.parse(when)).toEqual(value);
    }),
  );
});

test.each(['', ' a', 'a\nb', 'a\tb', 'a\u202eb', 'a\u001b]0;x\u0007', 'a\u00a0b', 'a\u200b', 'x'.repeat(101)])(
  'given the name %j, when it is looked at, then it is refused in words that can be shown',
  (name) => {
    const when = shownNameProblem('a machine', name);

    expect(when).toMatch(/cannot be the name of a machine: use 1 to 100 visible characters/);
    expect(countHidden(when ?? '')).toBe(0);
  },
);

test.each(['laptop', 'build-7.example.org', 'Büro Ada 👩‍💻', '東京'])('given the name %j, then it is good', (name) => {
  expect(shownNameProblem('a machine', name)).toBeNull();
});

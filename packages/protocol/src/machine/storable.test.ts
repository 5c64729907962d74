import fc from 'fast-check';
import { expect, test } from 'vitest';
import { storableJson } from './storable.ts';

test.each([
  ['a\0b', 'a⟨U+0000⟩b'],
  ['a\ud800b', 'a\ufffdb'],
  ['\\u0000 \\\\u0000 \\\0', '\\u0000 \\\\u0000 \\⟨U+0000⟩'],
  ['😀 \u001b "quoted" \\ud800', '😀 \u001b "quoted" \\ud800'],
])('given %j, when it is made fit for a database, then it is %j', (text, wanted) => {
  expect(JSON.parse(storableJson(JSON.stringify({ text })))).toEqual({ text: wanted });
});

test('given a program that writes a character as its two halves, when it is made fit for a database, then the character stays', () => {
  const json = String.raw`"\ud83d\ude00 \uD83D\uDE00 \ude00\ud83d \ud83d\u0000"`;

  expect(JSON.parse(storableJson(json))).toBe('😀 😀 \ufffd\ufffd \ufffd⟨U+0000⟩');
});

test('given any text, when it is made fit for a database, then only zero bytes and halves of characters change', () => {
  const odd = fc.constantFrom('\0', '\ud83d', '\udc00', '\\', 'u0000', '"', '\\ud800');
  const texts = fc.array(fc.oneof(fc.string({ unit: 'binary' }), odd)).map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      const when: unknown = JSON.parse(storableJson(JSON.stringify(text)));

      expect(when).toBe(text.replaceAll('\0', '⟨U+0000⟩').toWellFormed());
    }),
  );
});

import { array, assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { Keyboard } from './keyboard.ts';

/** Parses typed pieces. */
function typed(...pieces: readonly string[]): unknown[] {
  const keyboard = new Keyboard();
  return pieces
    .flatMap((piece) => keyboard.read(Buffer.from(piece)))
    .map((one) =>
      one.kind === 'keys' ? Buffer.from(one.bytes).toString() : one.kind === 'paste' ? { paste: one.text } : one.kind,
    );
}

test('given keys, when they are typed, then they are passed on as they are', () => {
  expect(typed('ls\r', '\u001b', '\u001b[A', 'é')).toEqual(['ls\r', '\u001b', '\u001b[A', 'é']);
});

test('given the prefix, when d follows, then the terminal is left, also where the two come apart', () => {
  expect(typed('a\u0002d')).toEqual(['a', 'leave']);
  expect(typed('\u0002', 'd')).toEqual(['leave']);
});

test('given the prefix, when it comes twice, then it is typed once, and other keys behind it do nothing', () => {
  expect(typed('\u0002\u0002x\u0002xy')).toEqual(['\u0002', 'x', 'y']);
});

test('given a paste with the prefix in it, when it comes in any pieces, then it is one paste and leaves nothing', () => {
  const whole = 'a\u001b[200~one\u0002d\ntwo é\u001b[201~b';
  const bytes = Buffer.from(whole);
  assert(
    property(array(integer({ min: 4, max: bytes.length - 4 }), { maxLength: 4 }), (cuts) => {
      // An Escape at the end of a piece is a key: no terminal cuts its marks there.
      const places = [...new Set(cuts)]
        .filter((at) => bytes[at - 1] !== 0x1b && bytes[at - 2] !== 0x1b)
        .toSorted((a, b) => a - b);
      const keyboard = new Keyboard();
      const ends = [...places, bytes.length];
      const all = ends.flatMap((end, index) => keyboard.read(bytes.subarray(places[index - 1] ?? 0, end)));
      expect(all.filter(({ kind }) => kind !== 'keys')).toEqual([{ kind: 'paste', text: 'one\u0002d\ntwo é' }]);
      const others = all.flatMap((one) => (one.kind === 'keys' ? [Buffer.from(one.bytes).toString()] : []));
      expect(others.join('')).toBe('ab');
    }),
  );
});

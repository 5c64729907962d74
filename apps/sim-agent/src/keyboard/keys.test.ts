import { expect, test } from 'vitest';
import { KeyDecoder, type Key } from './keys.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Neighbouring pieces of typed text as one, because where a read cuts typed text means nothing. */
function joined(keys: readonly Key[]): Key[] {
  const out: Key[] = [];
  for (const key of keys) {
    const last = out.at(-1);
    if (key.kind === 'text' && last?.kind === 'text')
      out[out.length - 1] = { kind: 'text', text: last.text + key.text };
    else out.push(key);
  }
  return out;
}

test('given input with everything in it, when it is cut in two anywhere, then the keys are the same', () => {
  const input = bytes('grüße 👍🏽\t\u001B[A\u001B[200~zwei\rZeilen — ✓\u001B[201~\r\u001B[<0;3;4M\u007F\u0015');
  const whole = joined(new KeyDecoder().feed(input));

  const cuts = Array.from({ length: input.length + 1 }, (_, cut) => {
    const decoder = new KeyDecoder();
    return joined([...decoder.feed(input.subarray(0, cut)), ...decoder.feed(input.subarray(cut))]);
  });

  expect(whole).toEqual([
    { kind: 'text', text: 'grüße 👍🏽' },
    { kind: 'named', name: 'tab' },
    { kind: 'named', name: 'up' },
    { kind: 'paste', text: 'zwei\nZeilen — ✓' },
    { kind: 'named', name: 'enter' },
    { kind: 'named', name: 'backspace' },
    { kind: 'named', name: 'ctrl-u' },
  ]);
  for (const cut of cuts) expect(cut).toEqual(whole);
});

test('given input byte by byte, when a paste of 64 KB arrives, then it is one key', () => {
  const decoder = new KeyDecoder();
  const text = 'ä'.repeat(32 * 1024);

  const keys = Array.from(bytes(`\u001B[200~${text}\u001B[201~`), (byte) => decoder.feed(Uint8Array.of(byte))).flat();

  expect(keys).toEqual([{ kind: 'paste', text }]);
});

test('given a lone escape, when nothing follows, then flushing gives the Escape key', () => {
  const decoder = new KeyDecoder();

  const before = decoder.feed(bytes('\u001B'));
  const waited = decoder.waiting;
  const after = decoder.flush();

  expect([before, waited, after, decoder.waiting]).toEqual([[], true, [{ kind: 'named', name: 'escape' }], false]);
});

test('given two escapes in one read, when they are decoded, then the first is a key and the second waits', () => {
  const decoder = new KeyDecoder();

  const keys = [...decoder.feed(bytes('\u001B\u001B')), ...decoder.flush()];

  expect(keys).toEqual([
    { kind: 'named', name: 'escape' },
    { kind: 'named', name: 'escape' },
  ]);
});

test('given a paste with tabs, a CRLF, control characters and a zero-width space, then tabs stay, the CRLF doubles, the rest goes', () => {
  const keys = new KeyDecoder().feed(bytes('\u001B[200~a\tb\r\nc\u0007d\u200Be\u001B[201~'));

  expect(keys).toEqual([{ kind: 'paste', text: 'a\tb\n\ncde' }]);
});

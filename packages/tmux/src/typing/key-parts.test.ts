import { expect, test } from 'vitest';
import { keyParts } from './key-parts.ts';

const partsOf = (text: string): unknown[] =>
  keyParts(Buffer.from(text)).map((part) => (part.kind === 'named' ? part.name : part.bytes.join(' ')));

test('given arrows in both ways that terminals send them, when they are split, then each is a key with a name', () => {
  expect(partsOf('a\u001b[Ab\u001bOBc\u001b[H\u001bOF')).toEqual(['61', 'Up', '62', 'Down', '63', 'Home', 'End']);
});

test('given other sequences, half ones and text beyond ASCII, when they are split, then every byte is passed on', () => {
  expect(partsOf('\u001b[1;5A')).toEqual(['1b 5b 31 3b 35 41']);
  expect(partsOf('\u001b')).toEqual(['1b']);
  expect(partsOf('\u001b[')).toEqual(['1b 5b']);
  expect(partsOf('é\r')).toEqual(['c3 a9 0d']);
  expect(partsOf('')).toEqual([]);
});

test('given many bytes, when they are split, then no part is longer than one command takes, and none is missing', () => {
  const parts = keyParts(Buffer.alloc(1_200, 0x61));

  expect(parts.map((part) => (part.kind === 'bytes' ? part.bytes.length : 0))).toEqual([500, 500, 200]);
});

import { expect, test } from 'vitest';
import { workerSeen } from '@drover/api/testing';
import { bytesText, reasonOf, spanText } from './text.ts';

test.each([
  [-5_000, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [3_599_999, '59 min'],
  [3_600_000, '1 h'],
  [7_500_000, '2 h 5 min'],
  [86_400_000, '1 d'],
  [100_800_000, '1 d 4 h'],
])('given %d ms, then people read "%s"', (ms, text) => {
  expect(spanText(ms)).toBe(text);
});

test.each([
  [0, '0 bytes'],
  [1_023, '1023 bytes'],
  [1_536, '1.5 KiB'],
  [24 * 1024 ** 3, '24 GiB'],
])('given %d bytes, then people read "%s"', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});

test('given accepted work that a silent machine stops, when its reason is told, then it is the machine and not the note', () => {
  const worker = workerSeen({ name: 'adam', note: 'a note', accepting: 'its checks run', heldUp: 'build-2 is silent' });

  expect(reasonOf(worker)).toBe('build-2 is silent');
  expect(reasonOf({ ...worker, heldUp: null })).toBe('its checks run');
  expect(reasonOf({ ...worker, heldUp: null, accepting: null })).toBe('a note');
});

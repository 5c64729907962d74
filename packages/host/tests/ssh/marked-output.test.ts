/** Checks that a command's output is told from other output, however the output is cut. */
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { MarkedOutput } from '../../src/ssh/shell/marked-output.ts';

const MARK = 'abcabd';

function read(output: Buffer, cuts: readonly number[]): { text: string; told: string[] } {
  const parts: string[] = [];
  const told: string[] = [];
  const marked = new MarkedOutput(MARK, {
    onBegin: () => told.push('begin'),
    onBytes: (bytes) => parts.push(bytes.toString('latin1')),
    onNote: (word) => told.push(word),
    onEnd: (status) => told.push(`end ${status}`),
  });
  const places = [0, ...cuts.map((cut) => cut % (output.length + 1)), output.length].toSorted((a, b) => a - b);
  places.forEach((place, at) => marked.feed(output.subarray(place, places[at + 1] ?? output.length)));
  return { text: parts.join(''), told };
}

test('given outputs that look like marks, when they come in any pieces, then each command has its own bytes', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'ab', 'abc', 'abcab', '\n', '<', '>0'), { maxLength: 30 });
  fc.assert(
    fc.property(texts, texts, fc.array(fc.nat(), { maxLength: 10 }), (inside, outside, cuts) => {
      const [one, other] = [inside.join('').replaceAll(MARK, ''), outside.join('').replaceAll(MARK, '')];
      // A text's end and a mark's end together may make a mark by chance: then it belongs to none of them.
      fc.pre(!`${other}${MARK}<\n${one}${MARK}`.replace(`${other}${MARK}<`, '').slice(0, -MARK.length).includes(MARK));
      fc.pre(`${one}${MARK}`.indexOf(MARK) === one.length && `${other}${MARK}`.indexOf(MARK) === other.length);
      const output = Buffer.from(`${other}${MARK}<\n${one}${MARK}!go\n${MARK}>7\n${other}`);

      expect(read(output, cuts)).toEqual({ text: one, told: ['begin', 'go', 'end 7'] });
    }),
  );
});

test('given a mark behind which no line ends, when more and more comes, then it counts as output, and no more than a line is held', () => {
  const flood = 'x'.repeat(1_000);

  const { text, told } = read(Buffer.from(`${MARK}<\n${MARK}${flood}`), []);

  expect(told).toEqual(['begin']);
  expect(text).toBe(`${MARK}${flood}`);
});

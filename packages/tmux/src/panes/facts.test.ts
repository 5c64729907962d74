/** Checks that a reader that remembers lines reads the same as a new one. */
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { FactsFormat } from './facts.ts';

const OPTIONS = ['@one'];
/** Titles that look like another field, another pane, or the end of a line. */
const TITLE = fc.constantFrom(
  '',
  'x',
  'é|0|',
  'a\nb',
  'a\nc',
  'x\npane|%1|5|1|2|9|4|0',
  'pane|%1|',
  '✳ at work',
  '✳ at wor',
);

interface Line {
  readonly pane: number;
  readonly activity: number;
  readonly panePid: number;
  readonly title: string;
  readonly option: string;
  readonly command: string;
}

const LINE: fc.Arbitrary<Line> = fc.record({
  pane: fc.integer({ min: 0, max: 1 }),
  activity: fc.integer({ min: 5, max: 6 }),
  panePid: fc.integer({ min: 4, max: 5 }),
  title: TITLE,
  option: fc.constantFrom('', 'y', 'x'),
  command: fc.constantFrom('', 'cat', 'pane|%1|5|1|2|9|4|0'),
});

/** Writes the line as tmux does. */
function written({ pane, activity, panePid, title, option, command }: Line): string {
  const lengths = ['w', title, option].map((text) => Buffer.byteLength(text));
  return `pane|%${pane}|${activity}|1|2|9|${panePid}|0||||10|3|0|0|1|0|0|0|${lengths.join('|')}|w${title}${option}${command}`;
}

test('given any lines one after another, when they are read, then each is read as if it were the first', () => {
  fc.assert(
    fc.property(fc.array(fc.array(LINE, { maxLength: 3 }), { maxLength: 8 }), (bodies) => {
      const reader = new FactsFormat(OPTIONS);
      for (const lines of bodies) {
        const body = Buffer.from(lines.map(written).join('\n'));
        const panes = reader.read(body);
        expect(panes).toEqual(new FactsFormat(OPTIONS).read(body));
        expect(panes.map(({ title }) => title)).toEqual(lines.map(({ title }) => title));
        expect(panes.map(({ currentCommand }) => currentCommand)).toEqual(lines.map(({ command }) => command));
        expect(panes.map(({ windowActivity }) => windowActivity)).toEqual(lines.map(({ activity }) => activity));
      }
    }),
    { numRuns: 500 },
  );
});

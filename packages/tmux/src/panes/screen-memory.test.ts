/** Checks that a change of a screen is seen, also after the clock of the machine was set. */
import { expect, test } from 'vitest';

import { FactsFormat, type PaneState } from './facts.ts';
import { ScreenMemory } from './screen-memory.ts';

const NOW = 1_900_000_000;
const HOUR = 3_600;

/** Makes a pane whose program wrote last in this second. */
function paneOf(activity: number): PaneState {
  const [found] = new FactsFormat([]).read(Buffer.from(`pane|%1|${activity}|1|2|9|4|0||||10|3|0|0|1|0|0|0|1|0|wcat`));
  if (found === undefined) throw new Error('the row is not as tmux writes it');
  return found;
}

test.each([
  ['goes on', 0],
  ['is set an hour back', -HOUR],
  ['is set an hour ahead', HOUR],
])(
  'given a screen that was captured, when the clock %s and the program writes, then the screen may have changed',
  (_, jump) => {
    const memory = new ScreenMemory();
    memory.isNewCapture({ facts: paneOf(NOW), bytes: Buffer.from('one') }, NOW + 2);
    expect(memory.mayHaveChanged(paneOf(NOW))).toBe(false);

    expect(memory.mayHaveChanged(paneOf(NOW + 5 + jump))).toBe(true);

    memory.isNewCapture({ facts: paneOf(NOW + 5 + jump), bytes: Buffer.from('two') }, NOW + 7 + jump);
    expect(memory.mayHaveChanged(paneOf(NOW + 5 + jump))).toBe(false);
  },
);

/** Empties the box, one key at a time with a look between: on an empty box the same keys may end the program. */
import { composerOfState } from '@drover/core';
import type { Attempt, Stage } from './attempt.ts';

/** Milliseconds between a key that clears and the look at its effect. */
const CLEAR_CHECK_MS = 80;
/** Rounds of the profile's keys without any effect, and keys in all: some programs clear a line at a time. */
const ROUNDS_MAX = 3;
const KEYS_MAX = 60;
/** Milliseconds of rest after the box was cleared. Source: docs/recovery-reference.md, partial send. */
const CLEARED_MS = 100;

/** `gone`: the program ended. `hidden`: another screen opened. `stays`: the keys do not clear it. */
type Emptied = 'empty' | 'gone' | 'hidden' | 'stays';

/** Empties the box, whatever its content. */
export async function emptyBox(attempt: Attempt): Promise<Emptied> {
  const { profile, hands } = attempt.parts;
  const { clear } = profile.typing;
  let held = '';
  let vain = 0;
  for (let presses = 0; presses < KEYS_MAX && vain < ROUNDS_MAX * clear.length; presses += 1) {
    const key = clear[presses % clear.length];
    if (key === undefined || (await hands.pressKeys([key])).kind !== 'sent') return 'gone';
    await attempt.pause(CLEAR_CHECK_MS);
    const seen = await attempt.see();
    if (seen === null) return 'gone';
    const composer = composerOfState(seen.reading.state);
    if (composer.kind === 'none') return 'hidden';
    if (composer.kind === 'empty') {
      await attempt.pause(CLEARED_MS);
      return 'empty';
    }
    vain = composer.text === held ? vain + 1 : 0;
    held = composer.text;
  }
  return 'stays';
}

/** Empties the box of Drover's own text. */
export async function clearBox(attempt: Attempt): Promise<Stage> {
  const outcome = await emptyBox(attempt);
  switch (outcome) {
    case 'empty':
      attempt.evidence.push('cleared our own text');
      return { kind: 'type' };
    case 'gone':
      return attempt.refused('pane-gone', 'it ended while the box was cleared');
    case 'hidden':
      return attempt.refused('dialog', 'another screen opened while the box was cleared');
    case 'stays':
      return attempt.failed('partial', 'the box could not be cleared');
    default:
      return outcome satisfies never;
  }
}

/** Tests the messages to a person who waits for a machine. */
import { expect, test } from 'vitest';
import { LASTING_MS, sayWhatLasts } from './lasting.ts';

function waiting(): { readonly said: string[]; readonly see: (why: string | null, afterMs: number) => void } {
  const said: string[] = [];
  let at = 0;
  const hear = sayWhatLasts(
    (why) => said.push(why),
    () => at,
  );
  return {
    said,
    see: (why, afterMs) => {
      at += afterMs;
      hear(why);
    },
  };
}

test('given a machine that a gateway takes in a moment, then nothing is said', () => {
  const { said, see } = waiting();

  see('waits for a gateway', 0);
  see('waits for a gateway', LASTING_MS - 1);
  see(null, LASTING_MS);

  expect(said).toEqual([]);
});

test('given a host that is not reached, when that lasts, then it is said once, and what comes after it too', () => {
  const { said, see } = waiting();

  see('waits for a gateway', 0);
  for (let times = 0; times < 3; times += 1) see('is not reached: no such host', LASTING_MS);
  for (let times = 0; times < 3; times += 1) see('is not reached: refused', LASTING_MS);

  expect(said).toEqual(['is not reached: no such host', 'is not reached: refused']);
});

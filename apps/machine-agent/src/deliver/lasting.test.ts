/** Checks that only lasting observations count. */
import { expect, test } from 'vitest';
import { Lasting } from './lasting.ts';

test('given an empty box for seconds, when the pane is gone for one glance, then that has not lasted, nor has the box after it', () => {
  let now = 0;
  const lasting = new Lasting({ elapsed: () => now });
  const at = (ms: number, what: string): number => {
    now = ms;
    return lasting.see(what);
  };

  const seen = [at(0, 'empty'), at(2_500, 'empty'), at(2_600, 'gone'), at(2_700, 'empty'), at(4_700, 'empty')];

  expect(seen).toEqual([0, 2_500, 0, 0, 2_000]);
});

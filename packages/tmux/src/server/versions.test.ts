/** Checks the known abilities of each tmux version. */
import { expect, test } from 'vitest';

import { abilitiesOf } from './versions.ts';

test.each([
  ['3.2a', 'none', false, true, false, false],
  ['3.3a', 'rename', true, true, false, false],
  ['3.4', 'message', true, false, false, false],
  ['3.5a', 'message', true, false, false, false],
  ['3.6b', 'message', true, false, true, false],
  ['next-3.8', 'message', true, false, true, true],
  ['master', 'message', true, false, true, true],
  ['4.0', 'message', true, false, true, true],
])(
  'given tmux %s, when it is asked for its abilities, then they are as measured',
  (version, exitNews, tellsSignal, bufferIsEscaped, capturePrints, pasteNeedsRaw) => {
    expect(abilitiesOf(version)).toMatchObject({
      exitNews,
      tellsSignal,
      bufferIsEscaped,
      capturePrints,
      pasteNeedsRaw,
    });
  },
);

test.each(['3.2', '3.1c', '2.9a', '1.8'])(
  'given tmux %s, when it is asked for its abilities, then it is too old',
  (version) => {
    expect(() => abilitiesOf(version)).toThrow('needs 3.2a or newer');
  },
);

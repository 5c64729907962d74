/** Checks that a text survives the escapes of tmux and their removal. */
import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { expect, test } from 'vitest';

import { unescapedText } from './buffer-escapes.ts';

const part = oneof(
  string({ unit: 'grapheme' }),
  constantFrom(
    'a row of plain words, longer than what is looked at byte by byte',
    '\u001b[1m',
    '\\',
    '\\033',
    '\\\\033',
    '\t',
    '\u0007',
    '\u000e',
    '\n',
    '0337',
  ),
);

test('given any screen, when tmux escapes it and the driver undoes that, then it is as it was', () => {
  assert(
    property(array(part, { maxLength: 8 }), (parts) => {
      const text = parts.join('').toWellFormed();

      expect(unescapedText(Buffer.from(escaped(text)))).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});

/** Escapes as `show-buffer` of tmux 3.2 and 3.3 does for a control client. */
function escaped(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\\\u0000-\u0009\u000b-\u001f\u007f]/g, (character) => {
    if (character === '\\') return '\\\\';
    if (character === '\t') return '\\t';
    return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
}

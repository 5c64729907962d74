/** Checks what a question of Qwen Code for permission says. */
import { expect, test } from 'vitest';
import { detect } from '../src/index.ts';
import { captureOf, inputOf, profileOf } from './captures.ts';

test.each([
  ['as it was recorded, below a box about a missing ripgrep', (rows: readonly string[]) => rows],
  ['without any box, where ripgrep is there', (rows: readonly string[]) => rows.filter((row) => !/[╭│╰]/u.test(row))],
  [
    'below words of its agent that look like another',
    (rows: readonly string[]) => rows.map((row) => (row.includes('●') ? '  ? Shell ls (List) ←' : row)),
  ],
])('given a question for permission %s, when it is read, then tool and command are told', (_what, drawn) => {
  const capture = captureOf('qwen/permission-120');
  const input = inputOf(capture);

  const { state } = detect(profileOf(capture), { ...input, capture: drawn(input.capture.split('\n')).join('\n') });

  expect(state).toMatchObject({ kind: 'permission', tool: 'Shell' });
  expect(state).toHaveProperty('command', expect.stringMatching(/^touch asked/u));
});

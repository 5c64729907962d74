import { expect, test } from 'vitest';
import { defaultOption } from './default-answer.ts';

const option = (label: string, id = label, needsText = false) => ({ id, label, needsText });
const SKIP = option('End the task; uncommitted work is saved', 'skip');

test.each([
  ['a plain no', 'no', [option('Yes'), option('No')], 'No'],
  ['a no with its key', 'no', [option('Yes'), option('No (esc)')], 'No (esc)'],
  ['a no that wants words', 'no', [option('Yes'), option('No', 'No', true)], null],
  ['a no that does more', 'no', [option('Yes'), option('No, and delete the directory')], null],
  ['two of them', 'no', [option('No'), option('Deny')], null],
  ['none', 'no', [option('Yes'), SKIP], null],
  ['the end of the task', 'skip', [option('Yes'), SKIP], 'skip'],
  ['an agent that writes "skip"', 'skip', [option('skip', 'Skip')], null],
] as const)(
  'given options with %s, when no person answers, then the default is that or none',
  (_, answer, options, id) => {
    expect(defaultOption({ options }, answer)).toBe(id);
  },
);

/** Checks that every recorded capture of a real agent is judged as it shows. */
import { expect, test } from 'vitest';
import { judge } from '../src/index.ts';
import { CAPTURES } from './captures.ts';

test('given every recorded capture, when it is judged from one frame, then it gets its label', () => {
  const given = CAPTURES;

  const when = given.map(({ name, file, ansi }) => ({ name, ...judge(file, ansi) }));

  expect(when.filter(({ right }) => !right)).toEqual([]);
  expect(when.length).toBeGreaterThan(1_100);
});

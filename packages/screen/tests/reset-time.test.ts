/** Are the words of a limit understood? */
import { expect, test } from 'vitest';
import { parseReset, resetWords } from '../src/index.ts';

/** 21 November 2026, 20:30:15 UTC. */
const NOW = 1_795_293_015_000;
const MINUTE = 60_000;

test.each([
  ["You've hit your session limit · resets 7pm (Europe/Berlin)", '7pm (Europe/Berlin)'],
  ["You've hit your weekly limit · resets Nov 25, 3:30am (America/New_York)", 'Nov 25, 3:30am (America/New_York)'],
  ['API error · retrying in 7s · attempt 1/10', '7s'],
  ['Internal server error [retrying in 1m 30s attempt #2]', '1m 30s'],
  ['Your limit will reset later.', null],
  ['Everything is fine.', null],
])('given "%s", when its words are taken, then they are %s', (text, expected) => {
  expect(resetWords(text)).toBe(expected);
});

test.each([
  ['7s', NOW + 7_000],
  ['1m 30s', NOW + 90_000],
  ['in 3 hours', NOW + 180 * MINUTE],
  ['10pm (Europe/Berlin)', NOW - 15_000 + 30 * MINUTE],
  ['9pm (Europe/Berlin)', NOW - 15_000 + (24 * 60 - 30) * MINUTE],
  ['21:00', NOW - 15_000 + 30 * MINUTE],
  ['12am (UTC)', NOW - 15_000 + 210 * MINUTE],
  ['Nov 22, 1am (UTC)', NOW - 15_000 + 270 * MINUTE],
  ['Jan 1 at 0:00 (UTC)', NOW - 15_000 + (40 * 1_440 + 210) * MINUTE],
])('given "%s", when it is parsed, then it is the right moment', (words, expected) => {
  expect(parseReset(words, NOW)).toBe(expected);
});

test.each(['later', '25:00', '13pm', '7pm (No/Where)', ''])(
  'given "%s", when it is parsed, then nothing is guessed',
  (words) => {
    expect(parseReset(words, NOW)).toBeNull();
  },
);

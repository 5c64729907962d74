/** Checks that the words of a limit are understood. */
import { expect, test } from 'vitest';
import { parseResetTime } from '@drover/core';
import { resetWords } from '../src/index.ts';

/** 21 November 2026, 20:30:15 UTC. */
const NOW = 1_795_293_015_000;
const MINUTE = 60_000;

/** The moment that the policy takes from the words that the screen room found. */
function momentOf(words: string): number | null {
  const time = parseResetTime(`resets ${words}`, { now: NOW, zone: { name: 'UTC' } });
  return time.kind === 'at' ? time.atMs : null;
}

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
  ['12am (UTC)', NOW - 15_000 + 210 * MINUTE],
  ['Nov 22, 1am (UTC)', NOW - 15_000 + 270 * MINUTE],
])('given "%s", when the policy reads it, then it is the right moment', (words, expected) => {
  expect(momentOf(words)).toBe(expected);
});

test.each(['later', '25:00', '13pm', ''])('given "%s", when the policy reads it, then nothing is guessed', (words) => {
  expect(momentOf(words)).toBeNull();
});

import { expect, test } from 'vitest';
import { RELEASES } from '@drover/real-agents';
import { section } from './report.ts';

/** The rows of the table that the results become. */
function rowsOf(results: Parameters<typeof section>[0]['results']): readonly string[] {
  const text = section({
    agent: 'claude',
    isOverSsh: false,
    release: RELEASES.claude,
    results,
    day: '2026-11-23',
    circumstances: 'alone',
  });
  return text.split('\n').filter((line) => /^\| (?!step)/u.test(line));
}

test('given texts that arrived in the same way, when they are written, then they are one row with each belief once', () => {
  const rows = rowsOf([
    { step: 'start', believed: 'idle', truth: 'it runs', ok: true },
    { step: 'text: short', believed: '1 piece', truth: 'verbatim', ok: true },
    { step: 'text: tabs', believed: '1 piece', truth: 'altered', ok: true },
    { step: 'text: 8 KB', believed: '9 pieces', truth: 'verbatim', ok: true },
    { step: 'text: leading -', believed: '1 piece', truth: 'verbatim', ok: true },
    { step: 'exit', believed: 'idle', truth: 'it runs', ok: true },
  ]);

  expect(rows).toEqual([
    '| start | idle | it runs | right |',
    '| text: short; 8 KB; leading - | 1 piece / 9 pieces | verbatim | right |',
    '| text: tabs | 1 piece | altered | right |',
    '| exit | idle | it runs | right |',
  ]);
});

test('given a text about which the belief was wrong, when it is written, then it has a row of its own', () => {
  const rows = rowsOf([
    { step: 'text: short', believed: 'delivered', truth: 'asked 0 times', ok: true },
    { step: 'text: tabs', believed: 'delivered', truth: 'asked 0 times', ok: false },
  ]);

  expect(rows).toEqual([
    '| text: short | delivered | asked 0 times | right |',
    '| text: tabs | delivered | asked 0 times | **wrong** |',
  ]);
});

import { expect, test } from 'vitest';
import { policyText, timeText } from './text.ts';

test('given values of all lengths, when the policy is shown, then no line is wider than 80 columns, and times are told', () => {
  const rung = { method: 'typed', respawn: false, settleMs: 200, waitMs: 2000 };
  const entries = [
    { key: 'nudge.firstMs', value: 1_800_000, from: 'default' as const },
    { key: 'lostInput', value: JSON.stringify([rung, rung, rung]), from: 'default' as const },
    { key: 'crash.countMax', value: 5, from: 'project' as const },
  ];

  const lines = policyText({ version: '3ef3feada2f2', entries }, undefined, 80).split('\n');

  expect(lines).toEqual([
    'Policy 3ef3feada2f2',
    'nudge.firstMs   1800000  30 min',
    'lostInput',
    ...[1, 2, 3].map(() => `  ${JSON.stringify(rung)}`),
    'crash.countMax  5                [policy]',
  ]);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
});

test.each([
  ['nudge.firstMs', 2_700_000, '45 min'],
  ['command.timeoutMs.open', 30_000, '30 s'],
  ['crash.forgetAfterMs', 86_400_000, '24 h'],
  ['partial.waitMs', 100, ''],
  ['limit.attemptsMax', 24_000, ''],
] as const)('given %s = %d, when its time is told, then it is "%s"', (key, value, said) => {
  expect(timeText(key, value)).toBe(said);
});

import { expect, test } from 'vitest';
import { quotaIn } from './quota.ts';

const AT = 1_795_981_377_714;

test.each([
  [
    'Claude Code 2.1.332, for its status line',
    {
      version: '2.1.332',
      context_window: { used_percentage: 0 },
      rate_limits: {
        five_hour: { used_percentage: 42, resets_at: 1_796_000_000 },
        seven_day: { used_percentage: 17, resets_at: 1_796_400_000 },
      },
    },
  ],
  [
    'Codex 0.169.0, in its conversation',
    {
      type: 'token_count',
      info: null,
      rate_limits: {
        limit_id: 'codex',
        limit_name: null,
        primary: { used_percent: 42, window_minutes: 300, resets_at: 1_796_000_000 },
        secondary: { used_percent: 17, window_minutes: 10_080, resets_at: 1_796_400_000 },
        credits: null,
        individual_limit: null,
        plan_type: null,
      },
    },
  ],
])('given limits as %s tells them, when they are read, then both have their name, use and reset', (_, record) => {
  expect(quotaIn(record, AT)).toEqual({
    at: AT,
    windows: [
      { name: '5 h', usedPercent: 42, resetsAt: 1_796_000_000_000 },
      { name: '7 d', usedPercent: 17, resetsAt: 1_796_400_000_000 },
    ],
  });
});

test.each([
  ['an account without limits', { rate_limits: { limit_id: 'codex', primary: null, secondary: null } }],
  ['an API key', { version: '2.1.332' }],
  ['a limit without a length', { rate_limits: { tertiary: { used_percent: 5 } } }],
  ['a use that is no number', { rate_limits: { five_hour: { used_percentage: 'all', resets_at: 1 } } }],
  ['a use below nothing', { rate_limits: { five_hour: { used_percentage: -1, resets_at: 1 } } }],
  ['a torn status line', undefined],
])('given %s, when its limits are read, then nothing is known', (_, record) => {
  expect(quotaIn(record, AT)).toBeNull();
});

test('given a use above all and a reset that no date can hold, when they are read, then all is used and the reset is unknown', () => {
  const record = { rate_limits: { five_hour: { used_percentage: 140, resets_at: 1e300 } } };

  expect(quotaIn(record, AT)?.windows).toEqual([{ name: '5 h', usedPercent: 100, resetsAt: null }]);
});

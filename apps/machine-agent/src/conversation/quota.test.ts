import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalHost } from '@drover/host';
import { BUILT_IN_PROFILES } from '@drover/screen';
import { worktreePath } from '@drover/worktree';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { quotaIn, readQuota } from './quota.ts';
import type { SourceContext } from './sources.ts';

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
    windows: [
      { name: '5 h', usedPercent: 42, resetsAt: 1_796_000_000_000, at: AT },
      { name: '7 d', usedPercent: 17, resetsAt: 1_796_400_000_000, at: AT },
    ],
  });
});

test.each([
  ['an account without limits', { rate_limits: { limit_id: 'codex', primary: null, secondary: null } }],
  // openai/codex#43136: both kinds within seconds, on one account.
  [
    'the limits of one model',
    {
      rate_limits: {
        limit_id: 'codex_bengalfox',
        primary: { used_percent: 99, window_minutes: 300, resets_at: 1_796_000_000 },
      },
    },
  ],
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

  expect(quotaIn(record, AT)?.windows).toEqual([{ name: '5 h', usedPercent: 100, resetsAt: null, at: AT }]);
});

describe('the session log of Codex', () => {
  const OPENED = Date.parse('2026-11-01T10:00:00.000Z');
  let home = '';
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'drover-quota-'));
  });
  afterEach(() => rmSync(home, { recursive: true }));

  /** A record of the log, so many seconds after the start of the worker's program. */
  function record(seconds: number, payload: object): string {
    return JSON.stringify({ timestamp: new Date(OPENED + seconds * 1_000).toISOString(), type: 'event_msg', payload });
  }

  function limits(seconds: number, used: number, limit_id = 'codex'): string {
    const primary = { used_percent: used, window_minutes: 300, resets_at: 1_796_000_000 };
    return record(seconds, { type: 'token_count', rate_limits: { limit_id, primary } });
  }

  const FILLER = Array.from({ length: 100 }, () => record(9, { type: 'agent_message' }));

  test.each([
    ['limits of an earlier program', [limits(-9, 99)], null],
    ['its own limits after them', [limits(-9, 99), limits(1, 42)], 42],
    ['a line that is still being written', [limits(1, 42), limits(2, 43).slice(0, 60)], 42],
    ['a line that nobody can read after them', [limits(1, 42), '{torn}'], 42],
    ['the limits of one model last', [limits(1, 42), limits(2, 99, 'codex_bengalfox')], 42],
    ['other records after them', [limits(1, 42), record(2, { type: 'agent_message' })], 42],
    ['an earlier program behind records without limits', [limits(-9, 99), record(2, {})], null],
    ['limits far before the end', [limits(1, 42), ...FILLER], null],
  ])('given %s, when what is left is read, then only the newest of this program counts', async (_, lines, used) => {
    const directory = join(home, '.codex/sessions/2026/11/01');
    mkdirSync(directory, { recursive: true });
    const meta = record(-10, { cwd: worktreePath(home, 'w') });
    writeFileSync(join(directory, 'rollout-1.jsonl'), [meta, ...lines, ''].join('\n').replace(/(?<=[^}])\n$/u, ''));
    const context = {
      host: createLocalHost({ env: {} }),
      home,
      machineDir: home,
      profiles: { of: () => ({ profile: BUILT_IN_PROFILES.get('codex') }) },
      settings: { workerId: 'w', name: 'w', project: { root: home } },
      knownWorkers: { lastIncarnationOf: () => undefined },
    } as unknown as SourceContext;

    expect((await readQuota(context, OPENED))?.windows[0]?.usedPercent ?? null).toBe(used);
  });
});

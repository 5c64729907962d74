import { expect, test } from 'vitest';
import { refusal } from './api.ts';
import { afterMs } from './http-adapter.ts';

test.each(['http://c/agent/join', 'http://c/agent/hello', 'http://c/agent/ws'])(
  'given a coordinator that %s is asked of too often, when it says so, then the agent knows when to come again and says why',
  (where) => {
    const text = JSON.stringify({ code: 'too-many-requests', message: 'Too many: try again in 2 s' });

    const error = refusal(where, 429, { text, retryAfterMs: 2_000 });

    expect(error).toMatchObject({ code: 'busy', retryAfterMs: 2_000 });
    expect(error.message).toContain('try again in 2 s');
  },
);

test('given a coordinator that keeps a turn for the machine, when it says when, then that is no failure of the agent or of the coordinator', () => {
  const said = { code: 'come-back', message: 'Many machines come at once', retryAfterMs: 1_234 };

  const error = refusal('http://c/agent/hello', 429, { text: JSON.stringify(said), retryAfterMs: 2_000 });

  expect(error).toMatchObject({ code: 'turn-later', retryAfterMs: 1_234 });
});

test.each([
  ['2', 2_000],
  ['999999', 60_000],
  ['-1', undefined],
  ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
  [null, undefined],
])('given Retry-After %j, when it is read, then it is %j ms', (header, ms) => {
  expect(afterMs(header)).toBe(ms);
});

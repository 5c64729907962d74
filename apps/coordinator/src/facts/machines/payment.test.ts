import type { ToldProgram } from '@drover/store';
import { expect, test } from 'vitest';
import { paymentOf } from './payment.ts';

function pays(keys: readonly string[] | undefined, trust: { readonly 'api-key'?: boolean } = {}) {
  const told: ToldProgram = { of: 'profile', name: 'claude', state: 'present', version: null, ...(keys && { keys }) };
  const room = { bytes: 1, freeBytes: 1 };
  const condition = { at: 1, clockOffsetMs: 0, programs: [told], processors: 1, load: 0, memory: room, disk: null };
  return paymentOf({ condition }, { profile: 'claude', project: { name: 'shop', trust } });
}

test.each([
  ['no key', [], {}, /^by the login of its program$/u, false],
  [
    'a key about which nobody decided',
    ['ANTHROPIC_API_KEY'],
    {},
    /by the login .* refused; .*shop api-key" accepts/u,
    true,
  ],
  ['a refused key', ['ANTHROPIC_API_KEY'], { 'api-key': false }, /by the login .* is refused/u, true],
  [
    'a granted key',
    ['ANTHROPIC_API_KEY'],
    { 'api-key': true },
    /^by the key ANTHROPIC_API_KEY .*--no" refuses it/u,
    false,
  ],
  [
    'a variable that is taken unasked',
    ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
    {},
    /^by ANTHROPIC_AUTH_TOKEN/u,
    false,
  ],
])('given %s, when it is asked how the agent pays, then the words say so', (_, keys, trust, by, isRefused) => {
  expect(pays(keys, trust)).toEqual({ by: expect.stringMatching(by), isRefused });
});

test('given a machine that does not tell, when it is asked how the agent pays, then nothing is claimed', () => {
  expect(pays(undefined)).toBeNull();
  expect(paymentOf({ condition: null }, { profile: 'claude', project: { name: 'shop', trust: {} } })).toBeNull();
});

import type { AccountRow, ToldProgram, WorkerRow } from '@drover/store';
import { expect, test } from 'vitest';
import { paymentOf, tellPayment } from './payment.ts';

const HOUR = 3_600_000;

function machineWith(keys: readonly string[] | undefined) {
  const told: ToldProgram = { of: 'profile', name: 'claude', state: 'present', version: null, ...(keys && { keys }) };
  const room = { bytes: 1, freeBytes: 1 };
  const condition = { at: 1, clockOffsetMs: 0, programs: [told], processors: 1, load: 0, memory: room, disk: null };
  return { condition };
}

function pays(keys: readonly string[] | undefined, trust: { readonly 'api-key'?: boolean } = {}) {
  return paymentOf(machineWith(keys), { profile: 'claude', project: { name: 'shop', trust } });
}

test.each([
  ['no key', [], {}, /^by the login of its program$/u, false],
  [
    'a key about which nobody decided',
    ['ANTHROPIC_API_KEY'],
    {},
    /by the login .* refused: .*shop api-key" accepts/u,
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
  const payment = pays(keys, trust);

  expect(`${payment?.by}${payment?.remedy}`).toMatch(by);
  expect(payment?.isRefused).toBe(isRefused);
});

test('given a machine that does not tell, when it is asked how the agent pays, then nothing is claimed', () => {
  expect(pays(undefined)).toBeNull();
  expect(paymentOf({ condition: null }, { profile: 'claude', project: { name: 'shop', trust: {} } })).toBeNull();
});

test.each([
  ['a login', [], /^by the login of its program, which is at its limit for another 60 min: 3 % .* is left/u],
  [
    'a login beside a refused key',
    ['ANTHROPIC_API_KEY'],
    /is at its limit .* as of now; the key .* is refused: "drover/u,
  ],
  [
    'a login in a variable',
    ['CLAUDE_CODE_OAUTH_TOKEN'],
    /^by CLAUDE_CODE_OAUTH_TOKEN of its environment, which .*: 3 % /u,
  ],
  ['a key', ['ANTHROPIC_AUTH_TOKEN'], /^by ANTHROPIC_AUTH_TOKEN of its environment$/u],
  ['an account that the machine does not name', undefined, /^by an account that .* not name, .*: 3 % .* is left/u],
])('given limits of the login of a machine, when %s pays, then they are told if they are its own', (_, keys, words) => {
  const worker = { options: { profile: 'claude' }, machineId: 'm' } as unknown as WorkerRow;
  const account: AccountRow = {
    key: 'claude@m',
    state: { kind: 'paused', since: 0, wakeAt: HOUR, statedResetAt: HOUR, failedProbes: 0, waiting: [] },
    quota: { windows: [{ name: '5 h', usedPercent: 97, resetsAt: HOUR, at: 0 }] },
    updatedAt: 0,
  };
  const accounts = { accountOf: () => ({ program: 'claude', account: null }) };
  const project = { name: 'shop', trust: {} };

  expect(tellPayment(accounts, worker, { known: [account], now: 0, machine: machineWith(keys), project })).toMatch(
    words,
  );
});

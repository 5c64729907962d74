import { expect, test } from 'vitest';
import type { AccountView } from '@drover/api';
import { accountLines, canaryLines, chatLines, machineLines, questionLines } from './needs-you.ts';

const now = new Date(2026, 0, 1, 9, 0).getTime();
const account: AccountView = {
  key: 'claude@laptop',
  state: 'paused',
  since: 0,
  until: new Date(2026, 0, 1, 14, 5).getTime(),
  stated: true,
  probe: null,
  waiting: ['adam', 'bea'],
  pays: ['adam', 'bea'],
  quota: null,
  left: 'what is left is not known',
};

test('given nothing that waits, when the page is written, then nothing is added to it', () => {
  expect(accountLines([{ ...account, state: 'open' }], now)).toEqual([]);
});

test('given open accounts, when the page is written, then those that a program or drover.toml speaks of say whom they pay for and what is left', () => {
  const named: AccountView = { ...account, state: 'open', key: 'claude/team' };
  const told: AccountView = { ...account, state: 'open', quota: { windows: [] }, left: '58 % of it' };

  expect(accountLines([named, told, { ...named, pays: [] }, { ...named, key: 'claude/me@work.example' }], now)).toEqual(
    [
      'account claude/team pays for 2 worker(s): what is left is not known',
      'account claude@laptop pays for 2 worker(s): 58 % of it',
      'account claude/me@work.example pays for 2 worker(s): what is left is not known',
    ],
  );
});

test('given an account at its limit, when the page is written, then it says until when, and whether that is a guess', () => {
  expect(accountLines([account], now)).toEqual([
    'account claude@laptop waits until 14:05 (limit); 2 worker(s) wait, and continue by themselves then',
  ]);
  expect(accountLines([{ ...account, stated: false, waiting: [] }], now)[0]).toBe(
    'account claude@laptop waits until 14:05 (limit, estimated time)',
  );
});

test.each(['paused', 'probing'] as const)(
  'given an account that is %s, of which a program told limits, when the page is written, then it says them',
  (state) => {
    const told: AccountView = { ...account, state, quota: { windows: [] }, left: '0 % of it' };

    expect(accountLines([told], now)[0]).toMatch(/; 0 % of it$/u);
  },
);

test('given an account that is tried, when the page is written, then it says by whom', () => {
  expect(accountLines([{ ...account, state: 'probing', probe: 'adam', waiting: [] }], now)[0]).toBe(
    'account claude@laptop was at a limit: adam tests whether it has reset',
  );
});

test('given questions of one worker, of a storm and of a run, when the page is written, then each is one line with its command', () => {
  const one = { title: 'What\nnow?', shortId: '3f9a1c2e', worker: 'adam', workers: [member('adam')] };
  const storm = { ...one, title: '2 workers lost', workers: [member('adam'), member('bea')] };

  const ofRun = { ...one, title: 'go: Start?', worker: 'run 1a2b', workers: [] };

  expect(questionLines([one, storm, ofRun])).toEqual([
    'a question waits for your answer (adam: What now?): drover escalation show 3f9a1c2e',
    'a question waits for your answer (2 workers lost): drover escalation show 3f9a1c2e',
    'a question waits for your answer (run 1a2b: go: Start?): drover escalation show 3f9a1c2e',
  ]);
});

test('given chats that no bot serves, when the page is written, then it says which, since when, and what tells more', () => {
  const chats = [
    { channel: 'telegram', places: 2, servedUntil: new Date(2026, 0, 1, 14, 5).getTime() },
    { channel: 'slack', places: 1, servedUntil: null },
  ];

  expect(chatLines(chats, now)).toEqual([
    'no bot serves telegram since 14:05: 2 chat(s) get no questions: drover doctor',
    'no bot serves slack: 1 chat(s) get no questions: drover doctor',
  ]);
});

test('given an account that waits into next week, when the page is written, then it says on which day it goes on', () => {
  const until = new Date(2026, 0, 5, 9, 0).getTime();

  expect(accountLines([{ ...account, until, waiting: [] }], now)[0]).toBe(
    'account claude@laptop waits until Mon 2026-01-05 09:00 (limit)',
  );
});

test('given a machine whose disk is full, when the page is written, then it says so, and what lifts it', () => {
  const warnings = [
    'has a clock that is off',
    'is short: 0.1 GiB of disk are free, 1.0 GiB are the least for new work',
  ];

  expect(machineLines([{ name: 'box', warnings }])).toEqual([
    'machine box is short: 0.1 GiB of disk are free, 1.0 GiB are the least for new work: it gets new work again when it has resources: drover machine show box',
  ]);
});

function member(worker: string) {
  return { worker, incident: null, over: false };
}

test('given a machine with a version that no trial has seen, when the page is written, then one line says so, and other warnings none', () => {
  const words =
    'runs claude 9.9.9, which no trial has seen: one task at a time until 10 turns are read right (7 so far)';

  expect(canaryLines([{ name: 'laptop', warnings: ['is short: of disk', words] }])).toEqual([
    `machine laptop ${words}`,
  ]);
});

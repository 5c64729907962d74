import type { AgentState, Reading } from '@drover/core';
import { expect, test } from 'vitest';
import { afterStale } from './support/start-dialogs.ts';

const TRUST = dialog('Do you trust this folder?');
const READY: AgentState = { kind: 'ready', composer: { kind: 'empty' }, after: 'fresh' };

test('given an answer that came to nothing, when a newer screen shows that dialog, then it is given again, three times at most', () => {
  const tried = { reading: at(1, TRUST), isConfirmed: false };

  expect([1, 2, 3, 4].map((times) => afterStale({ ...tried, times }, at(2, TRUST)))).toEqual([
    'again',
    'again',
    'again',
    'wrong',
  ]);
});

test.each([
  ['no screen', null],
  ['the screen of before', at(1, TRUST)],
  ['another dialog', at(2, dialog('Do you accept?'))],
  ['no dialog', at(2, READY)],
])('given an answer that came to nothing, when a look finds %s, then it is not given again', (_, now) => {
  expect(afterStale({ reading: at(1, TRUST), isConfirmed: false, times: 1 }, now)).toBe('wrong');
});

test('given an option that was confirmed, when the dialog closes late, then nothing more is pressed', () => {
  const tried = { reading: at(1, TRUST), isConfirmed: true, times: 1 };

  expect(afterStale(tried, at(2, READY))).toBe('gone');
  expect(afterStale(tried, at(2, dialog('Do you accept?')))).toBe('gone');
  expect(afterStale(tried, at(2, TRUST))).toBe('again');
});

function dialog(title: string): AgentState {
  return { kind: 'dialog', dialog: { kind: 'trust', title, body: '', options: [] } };
}

function at(time: number, state: AgentState): Reading {
  return { at: time, state, fingerprint: `f${time}`, progress: 'p', rule: 'sim/dialog' };
}

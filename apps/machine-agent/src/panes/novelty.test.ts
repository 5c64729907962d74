import type { AgentState, Reading } from '@drover/core';
import { expect, test } from 'vitest';
import { isWorthTelling, keyOf, toldNow } from './novelty.ts';

const readingOf = (state: AgentState, change: Partial<Reading> = {}): Reading => ({
  at: 0,
  state,
  fingerprint: 'f',
  progress: 'p',
  rule: 'r',
  ...change,
});
const ready = (text: string): AgentState => ({
  kind: 'ready',
  after: 'fresh',
  composer: text === '' ? { kind: 'empty' } : { kind: 'text', text, whole: true, pasted: false },
});
const busy: AgentState = { kind: 'processing', queued: false, composer: { kind: 'empty' } };

test('given a person who types, when each letter is seen, then only the first is worth telling', () => {
  const told = { key: keyOf(readingOf(ready('a'))), progress: 'p', at: 0, since: 0 };

  expect(isWorthTelling(told, readingOf(ready('ab')))).toBe(false);
  expect(isWorthTelling(told, readingOf(ready('')))).toBe(true);
});

test('given progress alone, when it goes on, then it is told every five seconds at most at first', () => {
  const told = { key: keyOf(readingOf(busy)), progress: 'p', at: 0, since: 0 };

  expect(isWorthTelling(told, readingOf(busy, { progress: 'q', at: 4_999 }))).toBe(false);
  expect(isWorthTelling(told, readingOf(busy, { progress: 'q', at: 5_000 }))).toBe(true);
  expect(isWorthTelling(told, readingOf(busy, { progress: 'p', at: 60_000 }))).toBe(false);
});

test('given a state that lasts, when its progress goes on, then it is told less often after a minute, and soon again after a change', () => {
  const first = toldNow(undefined, readingOf(busy, { progress: 'a', at: 0 }));
  const later = toldNow(first, readingOf(busy, { progress: 'b', at: 60_000 }));

  expect(isWorthTelling(later, readingOf(busy, { progress: 'c', at: 74_999 }))).toBe(false);
  expect(isWorthTelling(later, readingOf(busy, { progress: 'c', at: 75_000 }))).toBe(true);

  const changed = toldNow(later, readingOf(ready(''), { progress: 'c', at: 75_000 }));
  expect(isWorthTelling(changed, readingOf(ready(''), { progress: 'd', at: 80_000 }))).toBe(true);
});

test('given a dialog, when its highlight moves, then it is told: an answer names what was seen', () => {
  const state: AgentState = { kind: 'dialog', dialog: { kind: 'trust', title: 't', body: '', options: [] } };
  const told = { key: keyOf(readingOf(state)), progress: 'p', at: 0, since: 0 };

  expect(isWorthTelling(told, readingOf(state, { fingerprint: 'g' }))).toBe(true);
});

test('given a permission dialog, when a hook brings the words of its command, then they are told', () => {
  const dialog = { kind: 'other', title: 't', body: '', options: [] } as const;
  const state = { kind: 'permission', dialog, tool: 'Bash', command: 'rm …' } as const;
  const told = { key: keyOf(readingOf(state)), progress: 'p', at: 0, since: 0 };

  expect(isWorthTelling(told, readingOf(state))).toBe(false);
  expect(isWorthTelling(told, readingOf({ ...state, command: 'rm -rf build' }))).toBe(true);
});

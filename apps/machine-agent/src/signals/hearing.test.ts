import { expect, test } from 'vitest';
import { audible, type Heard } from './hearing.ts';

const OPENED = 10_000;
const hook = { name: 'StopFailure', tool: null, command: null, error: 'rate_limit' };
const structured = { status: 'busy', waitingFor: null } as const;
const transcript = { role: 'assistant', text: 'no', apiError: true } as const;
const heardAt = (at: number): Heard => ({
  hook: { fact: hook, at },
  structured: { fact: structured, at },
  transcript: { fact: transcript, at },
});

test('given facts of a present screen, when they are two seconds old, then all are heard', () => {
  const moment = { now: 22_000, openedAt: OPENED, since: 20_500 };

  expect(audible(heardAt(20_000), moment)).toEqual({ hook, structured, transcript });
});

test('given facts that are older than what the screen shows (S1), when it has gone on, then none is heard', () => {
  const moment = { now: 22_000, openedAt: OPENED, since: 21_900 };

  expect(audible(heardAt(20_000), moment)).toEqual({});
});

test('given facts of a former life of the pane (S1), when a new one began, then none is heard', () => {
  expect(audible(heardAt(OPENED - 1), { now: 11_000, openedAt: OPENED, since: null })).toEqual({});
});

test('given a hook that no other followed (S2), when it is over, then only what can be read again is heard', () => {
  const moment = { now: 25_001, openedAt: OPENED, since: null };

  expect(audible(heardAt(20_000), moment)).toEqual({ structured, transcript });
});

test('given a status that has just changed, when the screen may not have followed yet, then it waits', () => {
  const moment = { now: 20_999, openedAt: OPENED, since: null };

  expect(audible(heardAt(20_000), moment)).toEqual({ hook, transcript });
});

test('given facts of the future (S3), when the clock was set back, then none is heard, and a little ahead is allowed', () => {
  const moment = { now: 20_000, openedAt: OPENED, since: null };

  expect(audible(heardAt(20_000 + 3_600_000), moment)).toEqual({});
  expect(audible(heardAt(22_000), moment)).toEqual({ hook, transcript });
});

test('given a hook that names a scheduled wake-up (S2), when no other hook follows, then it speaks on', () => {
  const moment = { now: 600_000, openedAt: OPENED, since: 20_500 };
  const woken = { ...hook, runsOn: { what: 'scheduled wake-up', isScheduled: true } };
  const shell = { ...hook, runsOn: { what: 'background shell', isScheduled: false } };
  const heard = { structured: null, transcript: null };

  expect(audible({ ...heard, hook: { fact: woken, at: 20_000 } }, moment)).toEqual({ hook: woken });
  expect(audible({ ...heard, hook: { fact: shell, at: 20_000 } }, moment)).toEqual({});
});

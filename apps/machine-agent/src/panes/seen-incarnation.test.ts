/** Checks that the next gateway knows the lives of panes. */
import type { PaneState } from '@drover/tmux';
import { expect, test } from 'vitest';
import type { KnownIncarnation } from '../store/known-workers.ts';
import { knowIncarnation, openedNow } from './seen-incarnation.ts';

const NOW = 1_700_000_000_000;
/** Milliseconds by which the clock of the machine with the panes is ahead of the clock of the gateway that opened the session. */
const HOUR = 3_600_000;

function pane(options: Readonly<Record<string, string>>): Pick<PaneState, 'incarnation' | 'options'> {
  return { incarnation: { serverPid: 1, serverStart: 2, paneId: '%3', panePid: 4, sessionCreated: 0 }, options };
}

test('given a pane that another gateway has opened, when it is seen, then its conversation and its start are known, and remembered', () => {
  const known = new Map<string, KnownIncarnation>();
  const workers = {
    incarnationOf: (incarnation: string) => known.get(incarnation),
    rememberIncarnation: (incarnation: string, one: KnownIncarnation) => void known.set(incarnation, one),
  };
  const opened = openedNow({ now: () => NOW, offsetMs: () => HOUR });
  const options = { '@drover_worker': 'w', '@drover_conversation': 'c', ...opened };

  // The clock of this gateway is a minute behind the other one's.
  const later = { now: () => NOW + 500_000, offsetMs: () => HOUR + 60_000 };
  const found = knowIncarnation(workers, pane(options), later);

  expect(found).toEqual({ workerId: 'w', conversation: 'c', openedAt: NOW - 60_000 });
  expect(known.get('1.2.%3.4')).toEqual(found);
  expect(knowIncarnation(workers, pane({}), later)).toBe(found);
});

test('given a pane of nobody, or of a session that does not say when it was opened, when it is seen, then nothing, or only what comes now, counts', () => {
  const workers = { incarnationOf: () => undefined, rememberIncarnation: () => {} };
  const clocks = { now: () => NOW, offsetMs: () => 0 };

  expect(knowIncarnation(workers, pane({}), clocks)).toBeUndefined();
  expect(knowIncarnation(workers, pane({ '@drover_worker': 'w', '@drover_conversation': 'c' }), clocks)?.openedAt).toBe(
    NOW,
  );
});

test('given a pane that was opened before the clock of its machine was set an hour back, when it is seen, then what comes now counts', () => {
  const workers = { incarnationOf: () => undefined, rememberIncarnation: () => {} };
  const opened = openedNow({ now: () => NOW, offsetMs: () => 0 });
  const options = { '@drover_worker': 'w', '@drover_conversation': 'c', ...opened };
  const later = { now: () => NOW + 60_000, offsetMs: () => -HOUR };

  expect(knowIncarnation(workers, pane(options), later)?.openedAt).toBe(NOW + 60_000);
});

/** Tests a terminal whose connection is lost: reconnection, its limit, and the end of the visit. */
import { expect, test } from 'vitest';
import { CommandError } from '../../../exit-codes.ts';
import { stay } from './staying.ts';

type LastWord = { readonly code: string; readonly message: string } | null;
/** The result of one try to connect: a failure, or a connection with these last words, and a note if it has shown the pane. */
type Try = Error | { readonly last: LastWord; readonly shown: boolean };

const UNREACHABLE = new CommandError('unreachable', 'no coordinator answers');

function line(last: () => Promise<LastWord>) {
  return { over: Promise.resolve().then(last), close: () => {} };
}

/** Plays a visit; time passes only during waits. The first connection has shown the pane and is lost after `stayedMs`. */
async function visit({ stayedMs = 0, tryAt }: { stayedMs?: number; tryAt: (ms: number) => Try }) {
  let now = 1_000;
  let hasShown = true;
  let tries = 0;
  const lostAt = now + stayedMs;
  const left = new AbortController();
  const first = line(async () => {
    now = lostAt;
    return null;
  });
  const ended = await stay(first, {
    clock: { now: () => now, sleep: async (ms) => void (now += ms) },
    left: left.signal,
    open: async () => {
      tries += 1;
      if (tries > 1_000) left.abort();
      const found = tryAt(now - lostAt);
      if (found instanceof Error) throw found;
      hasShown = false;
      return line(async () => {
        hasShown = found.shown;
        return found.last;
      });
    },
    onOpened: () => {},
    onLost: () => {},
    hasShown: () => hasShown,
  });
  return { ended, tries, afterMs: now - lostAt };
}

test('given a coordinator that is gone, when a terminal of an hour is lost, then it is tried for a minute, and not longer', async () => {
  const { ended, tries, afterMs } = await visit({ stayedMs: 3_600_000, tryAt: () => UNREACHABLE });

  expect(ended).toEqual({ message: 'the coordinator no longer answers' });
  expect(afterMs).toBe(60_000 + 1_000);
  expect(tries).toBe(61);
});

test('given a coordinator that accepts and shows nothing, when a terminal is lost, then the minute is not begun again, and its last words are said', async () => {
  const last = { code: 'no-answer', message: 'the machine does not answer' };
  const { ended, afterMs } = await visit({ tryAt: () => ({ last, shown: false }) });

  expect(ended).toEqual({ message: last.message });
  expect(afterMs).toBe(60_000 + 1_000);
});

test('given a pane that is shown again just in time, when it is lost once more, then there is a minute again', async () => {
  const { afterMs } = await visit({
    tryAt: (ms) => (ms === 60_000 ? { last: null, shown: true } : UNREACHABLE),
  });

  expect(afterMs).toBe(2 * 60_000 + 1_000);
});

test.each<[string, Try, string]>([
  ['that says no', new CommandError('refused', 'the worker is gone'), 'the worker is gone'],
  [
    'whose pane has ended',
    { last: { code: 'pane-ended', message: 'its session ended' }, shown: false },
    'its session ended',
  ],
])('given a coordinator %s, when a terminal is lost, then nothing is tried again', async (_what, found, message) => {
  const { ended, tries } = await visit({ tryAt: () => found });

  expect(ended?.message).toBe(message);
  expect(tries).toBe(1);
});

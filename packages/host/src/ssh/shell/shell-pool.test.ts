import type { LocalClock } from '@drover/base';
import { expect, test } from 'vitest';
import { type CarrierHere, carrierHere } from '../../../tests/ssh/carrier-here.ts';
import type { Carrier } from '../carrier.ts';
import { ShellPool } from './shell-pool.ts';

/** A clock that never comes to a time, and what waits for one. */
function stoppedClock(): LocalClock & { readonly waiting: Set<() => void> } {
  const waiting = new Set<() => void>();
  return {
    waiting,
    now: () => 0,
    elapsed: () => 0,
    after(_delayMs, run) {
      waiting.add(run);
      return () => void waiting.delete(run);
    },
  };
}

function poolOn(carrier: Carrier, clock: LocalClock): ShellPool {
  let marks = 0;
  const newMark = (): string => `mark${(marks += 1)}`;
  return new ShellPool({
    carrier,
    owner: { machine: 'far', connection: 'one' },
    clock,
    newMark,
    onRoundTrip: () => {},
  });
}

const LIMITS = { timeoutMs: 60_000, outputBytesMax: 1024, excess: 'drop' } as const;

test('given shells that wait for commands, when their connection ends, then no time is waited for any more', async () => {
  const clock = stoppedClock();
  await using carrier = carrierHere();
  const pool = poolOn(carrier, clock);
  const both = ['one', 'two'].map((word) => pool.run(Buffer.from(`echo ${word}`), LIMITS));
  const ended = await Promise.all(both);
  const before = clock.waiting.size;

  await carrier[Symbol.asyncDispose]();

  expect(ended.map((end) => ('stdout' in end ? end.stdout.toString() : end.kind))).toEqual(['one\n', 'two\n']);
  expect(before).toBeGreaterThan(0);
  await expect.poll(() => clock.waiting.size).toBe(0);
});

test('given a pool that has begun, when a channel is needed, then one is there already, and another is opened for the next', async () => {
  const clock = stoppedClock();
  await using carrier = carrierHere();
  const pool = poolOn(carrier, clock);
  await pool.begin();
  await expect.poll(() => carrier.opened).toHaveLength(2);

  const first = await pool.lone();
  expect(carrier.opened).toHaveLength(2);
  expect(first.greeting.pid).toBe(carrier.opened[1]);
  const second = await pool.lone();
  expect(carrier.opened).toHaveLength(3);
  expect(second.greeting.pid).toBe(carrier.opened[2]);

  expect(await pool.run(Buffer.from('echo runs'), LIMITS)).toMatchObject({ kind: 'ended', status: 0 });
  await carrier[Symbol.asyncDispose]();
  await expect.poll(() => clock.waiting.size).toBe(0);
});

test('given a channel that was opened before it was needed, when it ends before, then the one that needs it gets another', async () => {
  const clock = stoppedClock();
  await using carrier = carrierHere();
  const pool = poolOn(carrier, clock);
  await pool.begin();
  await expect.poll(() => [carrier.opened.length, clock.waiting.size]).toEqual([2, 2]);

  process.kill(carrier.opened[1] ?? 0, 'SIGKILL');
  await expect.poll(() => clock.waiting.size).toBe(1);

  expect((await pool.lone()).greeting.pid).toBe(carrier.opened[2]);
});

test('given a channel that was opened before it was needed, when nobody needs it for a minute, then it is closed', async () => {
  const clock = stoppedClock();
  await using carrier = carrierHere();
  const pool = poolOn(carrier, clock);
  await pool.begin();
  await expect.poll(() => [carrier.opened.length, clock.waiting.size]).toEqual([2, 2]);

  for (const run of clock.waiting) run();

  expect(carrier.closings).toEqual([carrier.opened[1]]);
  expect((await pool.lone()).greeting.pid).toBe(carrier.opened[2]);
});

test('given a server that opens one channel alone, when a pool begins, then commands run', async () => {
  await using carrier = carrierHere({ refuses: (opened) => opened > 0 });
  const pool = poolOn(carrier, stoppedClock());

  await pool.begin();

  expect(await pool.run(Buffer.from('echo runs'), LIMITS)).toMatchObject({ kind: 'ended', status: 0 });
});

test.each<[string, (stop: AbortController, carrier: CarrierHere) => void, string]>([
  ['was stopped', (stop) => stop.abort(), 'stopped'],
  [
    'was stopped while its connection was lost',
    (stop, carrier) => {
      stop.abort();
      void carrier[Symbol.asyncDispose]();
    },
    'lost',
  ],
])('given a command that %s, when it has ended, then no time is waited for any more', async (_, end, kind) => {
  const clock = stoppedClock();
  await using carrier = carrierHere();
  const pool = poolOn(carrier, clock);
  const stop = new AbortController();
  const running = pool.run(Buffer.from('sleep 600'), { ...LIMITS, signal: stop.signal });
  await expect.poll(() => clock.waiting.size).toBe(1);

  end(stop, carrier);

  expect(await running).toMatchObject({ kind });
  await carrier[Symbol.asyncDispose]();
  await expect.poll(() => clock.waiting.size).toBe(0);
});

test('given a shell whose startup has left a program that holds its channel, when the pool is closed, then it tells after a moment that a shell is still there', async () => {
  const clock = stoppedClock();
  await using carrier = carrierHere({ startup: 'sleep 60 &' });
  const pool = poolOn(carrier, clock);
  await pool.run(Buffer.from(':'), LIMITS);

  const closed = pool.close();
  for (const run of clock.waiting) run();

  expect(await closed).toBe(false);
});

test('given shells that end when they are asked to, when the pool is closed, then it tells so at once', async () => {
  const clock = stoppedClock();
  await using carrier = carrierHere();
  const pool = poolOn(carrier, clock);
  await pool.run(Buffer.from(':'), LIMITS);

  expect(await pool.close()).toBe(true);
  expect(clock.waiting.size).toBe(0);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { Clock } from '../../system-clock.ts';
import type { Carrier, Channel } from '../carrier.ts';
import { ShellPool } from './shell-pool.ts';

/** A clock that never comes to a time, and what waits for one. */
function stoppedClock(): Clock & { readonly waiting: Set<() => void> } {
  const waiting = new Set<() => void>();
  return {
    waiting,
    now: () => 0,
    elapsed: () => 0,
    setTimer(_delayMs, run) {
      waiting.add(run);
      return () => void waiting.delete(run);
    },
  };
}

/** Channels that are shells of this machine. */
function carrierHere(): Carrier {
  const { promise: closed, resolve: tellClosed } = Promise.withResolvers<string>();
  const ends: (() => Promise<unknown>)[] = [];
  return {
    closed,
    end: tellClosed,
    async open(command): Promise<Channel> {
      const shell = spawn('/bin/sh', ['-c', command], { detached: true });
      const ended = once(shell, 'close');
      ends.push(() => (shell.kill('SIGKILL'), ended));
      const exit = ended.then(() => ({ status: undefined, signal: undefined }));
      const { stdin: input, stdout: output, stderr } = shell;
      input.on('error', () => {});
      return Promise.resolve({ input, output, stderr, exit, signal: () => {}, close: () => {} });
    },
    forward: () => Promise.reject(new Error('not asked for')),
    async [Symbol.asyncDispose]() {
      await Promise.all(ends.map((end) => end()));
      tellClosed('closed');
    },
  };
}

const LIMITS = { timeoutMs: 60_000, outputBytesMax: 1024, excess: 'drop' } as const;

test('given shells that wait for commands, when their connection ends, then no time is waited for any more', async () => {
  const clock = stoppedClock();
  await using carrier = carrierHere();
  let marks = 0;
  const pool = new ShellPool({
    carrier,
    owner: { machine: 'far', life: 'one' },
    clock,
    newMark: () => `mark${(marks += 1)}`,
    onRoundTrip: () => {},
  });
  const both = ['one', 'two'].map((word) => pool.run(Buffer.from(`echo ${word}`), LIMITS));
  const ended = await Promise.all(both);
  const before = clock.waiting.size;

  await carrier[Symbol.asyncDispose]();

  expect(ended.map((end) => ('stdout' in end ? end.stdout.toString() : end.kind))).toEqual(['one\n', 'two\n']);
  expect(before).toBeGreaterThan(0);
  await expect.poll(() => clock.waiting.size).toBe(0);
});

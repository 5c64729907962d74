/** Checks that no output of a program is lost on a machine that is so busy that its end is told before its output was read. */
import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { createLocalHost, type RunOutcome } from '../src/index.ts';

const host = createLocalHost({ env: process.env });

test('given a program that has ended before anything of it was read, when it has run, then its output is whole', async () => {
  // The program's end and the end of another program are told in one turn of the event loop, in which its output was not yet listened to.
  const other = spawn('echo', ['other']);
  const running = new Promise<RunOutcome>((resolve) => {
    other.stdout.once('data', () => {
      resolve(host.run('echo', ['whole'], { timeoutMs: 60_000 }));
      setImmediate(stall, 1_000);
      stall(500);
    });
  });
  stall(500);

  expect(await running).toMatchObject({ status: 0, stdout: 'whole\n' });
});

/** Stalls this process and lets nothing else run, as a busy machine does to a process. */
function stall(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

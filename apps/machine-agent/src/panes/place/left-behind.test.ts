/** Checks that only the process that was looked at is ended: processes come and go between a look and a signal. */
import { createLocalHost, systemClock, type Host } from '@drover/host';
import { expect, test } from 'vitest';
import { endLeftBehind } from './left-behind.ts';

const WORKER = { name: 'lee', worktree: '/w/lee', mark: 'DROVER_WORKER_FILE=/d/lee' };
const PANES = { ends: undefined, others: () => Promise.resolve([]) };

/** Machine on which process 7 works in the worktree. `starts`: the answers to each question about its start, the last one for good. */
function machine(starts: readonly (string | undefined)[]): { readonly host: Host; readonly signals: string[] } {
  const local = createLocalHost({ env: process.env });
  const signals: string[] = [];
  let asked = 0;
  const answers: Readonly<Record<string, string>> = {
    ls: 'lrwxrwxrwx 1 u u 0 Jan 1 00:00 /proc/7/cwd -> /w/lee\n',
    '/proc/7/environ': `A=b\0${WORKER.mark}\0`,
    '/proc/7/cmdline': 'server\0--port\x001\0',
  };
  const host: Host = {
    ...local,
    run: (_program, args) => {
      const stdout = answers[String(args.at(-1)).startsWith('/proc') ? String(args.at(-1)) : 'ls'] ?? '';
      const stdoutBytes = Buffer.from(stdout);
      return Promise.resolve({ status: 0, stdout, stdoutBytes, stderr: '', timedOut: false } as never);
    },
    processes: {
      isRunning: () => Promise.resolve(true),
      startOf: () => Promise.resolve(starts[Math.min(asked++, starts.length - 1)]),
      signal: (pid, signal) => Promise.resolve(signals.push(`${signal} ${pid}`) > 0),
    },
  };
  return { host, signals };
}

test.each([
  ['has ended', ['10', undefined], []],
  ['has ended, and its number went to another', ['10', '99'], []],
  ['ends on the first signal', ['10', '10', undefined], ['SIGTERM 7']],
  ['ends on the first signal, and its number went to another', ['10', '10', '99'], ['SIGTERM 7']],
])('given a program of an earlier session, when it %s, then no other one is signalled', async (_, starts, expected) => {
  const { host, signals } = machine(starts);
  const tools = { host, clock: systemClock, isAgent: () => false };

  const ended = await endLeftBehind(tools, WORKER, PANES);

  expect(ended).toEqual(['server --port 1']);
  expect(signals).toEqual(expected);
});

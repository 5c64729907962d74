/** Checks that only the process that was looked at is ended: processes come and go between a look and a signal. */
import { systemClock } from '@drover/base';
import { createLocalHost, type Host } from '@drover/host';
import { BUILT_IN_PROFILES } from '@drover/screen';
import { expect, test } from 'vitest';
import { Profiles } from '../agent-profile.ts';
import { endLeftBehind } from './left-behind.ts';

const WORKER = { name: 'lee', worktree: '/w/lee', mark: 'DROVER_WORKER_FILE=/d/lee' };
const PANES = { ends: undefined, others: () => Promise.resolve([]) };

const CWD = 'lrwxrwxrwx 1 u u 0 Jan 1 00:00 /proc/7/cwd -> /w/lee\n';

/** Machine on which process 7 works in the worktree. `starts`: the answers to each question about its start, the last one for good. */
function machine(starts: readonly (string | undefined)[]): { readonly host: Host; readonly signals: string[] } {
  const local = createLocalHost({ env: process.env });
  const signals: string[] = [];
  let [asked, looked] = [0, 0];
  const answers: Readonly<Record<string, string>> = {
    '/proc/7/environ': `A=b\0${WORKER.mark}\0`,
    '/proc/7/cmdline': 'server\0--port\x001\0',
  };
  const host: Host = {
    ...local,
    run: (_program, args) => {
      const stdout = answers[String(args.at(-1))] ?? (args[1]?.includes('/cwd') === true && looked++ === 0 ? CWD : '');
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
  const tools = { host, clock: systemClock, agents: [] };

  const ended = await endLeftBehind(tools, WORKER, PANES);

  expect(ended).toEqual(['server --port 1']);
  expect(signals).toEqual(expected);
});

test.each([
  ['this', '1000', true],
  ['another', '0', false],
])(
  'given a coding agent of %s user whose directory the system does not tell, when a pane opens, then a person is asked: %s',
  async (_, user, isAsked) => {
    const { host } = machine(['10']);
    const unread: Readonly<Record<string, string>> = {
      ps: `1000\n    9 ${user} claude --resume\n   11 1000 vim claude\n`,
      cwd: 'lrwxrwxrwx 1 u u 0 Jan 1 00:00 /proc/9/cwd\nlrwxrwxrwx 1 u u 0 Jan 1 00:00 /proc/11/cwd\n',
      '/proc/9/cmdline': 'claude\0--resume\0',
    };
    const run = (_program: string, args: readonly string[]): never => {
      const what =
        args[1]?.includes('/cwd') === true ? 'cwd' : args[1]?.includes('ps -ww') === true ? 'ps' : args.at(-1);
      return Promise.resolve({ status: 0, stdout: unread[what ?? ''] ?? '' }) as never;
    };
    const tools = { host: { ...host, run }, clock: systemClock, agents: new Profiles({}, BUILT_IN_PROFILES).all() };

    const opening = endLeftBehind(tools, WORKER, PANES).then(
      () => null,
      (error: unknown) => String(error),
    );

    expect(await opening).toEqual(isAsked ? expect.stringContaining('process 9 (claude --resume)') : null);
  },
);

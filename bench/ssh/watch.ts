// Measures what it costs a gateway to look at panes over SSH: many of one host, and a few of each of many hosts.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { TestSshd } from '@drover/host/testing';
import { AnimatedPanes } from '../eyes-hands/seeing/animated-panes.ts';
import { treeCpuMs } from '../eyes-hands/cpu.ts';
import { costOfSsh } from './commands.ts';
import type { Plan, Row } from './plan.ts';
import type { WatcherPlan } from './watcher.ts';

const EVERY_MS = 500;
/** Milliseconds between looks where nothing is awaited, as in the machine agent. */
const CALM_MS = 1_000;
const PANES_EACH = 5;

/** Moving panes on one tmux server, looked at over local control and over SSH. */
export async function measureWatch(sshd: TestSshd, { panes, seconds, programs }: Plan): Promise<readonly Row[]> {
  await using animated = await AnimatedPanes.start(panes);
  const { socket } = animated;
  const local = await share({ sshd: null, sockets: [socket], everyMs: EVERY_MS }, seconds);
  const ssh = await share({ sshd: factsOf(sshd), sockets: [socket], everyMs: EVERY_MS }, seconds);
  const each = await costOfSsh(sshd, programs);
  const processes = (panes * (1_000 / EVERY_MS) * each) / 1_000;
  return [
    {
      what: `${panes} moving panes, 2 looks/s: CPU of the gateway`,
      found: percent(ssh),
      beside: `local control ${percent(local)} = ${(ssh / local).toFixed(2)} times`,
      aim: '1.6 times',
      met: ssh <= 1.6 * local,
    },
    {
      what: '  beside an ssh process for each look',
      found: percent(ssh),
      beside: `${percent(processes)} (computed) = 1/${(processes / ssh).toFixed(0)}`,
      aim: '1/50',
      met: ssh * 50 <= processes,
    },
  ];
}

/** Measures many hosts with a few still panes each. */
export async function measureHosts(sshd: TestSshd, { hosts, seconds }: Plan): Promise<readonly Row[]> {
  const sockets = Array.from({ length: hosts }, (_, index) => join(sshd.directory, `h${index}`));
  const tmux = promisify(execFile);
  try {
    for (const socket of sockets)
      for (let pane = 0; pane < PANES_EACH; pane += 1)
        await tmux('tmux', ['-S', socket, '-f', '/dev/null', 'new-session', '-d', '-s', `w${pane}`, 'cat']);
    const used = await share({ sshd: factsOf(sshd), sockets, everyMs: CALM_MS }, seconds);
    return [
      {
        what: `${hosts} hosts × ${PANES_EACH} still panes, a look a second: CPU of the gateway`,
        found: percent(used),
        beside: '',
        aim: '10 % of a core',
        met: used <= 0.1,
      },
    ];
  } finally {
    for (const socket of sockets) await tmux('tmux', ['-S', socket, 'kill-server']).catch(() => {});
  }
}

/** Measures the share of one processor that the watcher uses with the programs that it starts, once it has looked at everything. */
async function share(plan: WatcherPlan, seconds: number): Promise<number> {
  const watcher = fork(join(import.meta.dirname, 'watcher.ts'), [JSON.stringify(plan)]);
  try {
    await Promise.race([
      once(watcher, 'message'),
      once(watcher, 'exit').then(() => Promise.reject(new Error('The watcher ended'))),
    ]);
    await delay(2_000);
    const pid = watcher.pid ?? 0;
    const [before, start] = [treeCpuMs(pid), performance.now()];
    await delay(seconds * 1_000);
    return (treeCpuMs(pid) - before) / (performance.now() - start);
  } finally {
    const gone = once(watcher, 'exit');
    if (watcher.connected) watcher.send('stop');
    else watcher.kill();
    if (watcher.exitCode === null && watcher.signalCode === null) await gone;
  }
}

function factsOf({ directory, user, port, keyFile, hostKey }: TestSshd): NonNullable<WatcherPlan['sshd']> {
  return { directory, user, port, keyFile, hostKey };
}

function percent(share_: number): string {
  return `${(share_ * 100).toFixed(1)} %`;
}

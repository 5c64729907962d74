/** Machine agent in its own process, which ends itself with SIGKILL at a point that a test chooses. */
import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { systemClock } from '@drover/base';
import type { Reached } from '@drover/host/testing';
import { startMachineAgent, type CrashPoint, type MachineAgentOptions } from '../../src/index.ts';

/** Options of an agent that can be serialised. */
export type PlainOptions = Pick<
  MachineAgentOptions,
  | 'coordinatorUrl'
  | 'dataDir'
  | 'runtimeDir'
  | 'machineName'
  | 'joinToken'
  | 'profiles'
  | 'home'
  | 'version'
  | 'env'
  | 'places'
>;

type Given = PlainOptions & {
  readonly crashAt?: CrashPoint;
  /** Place of the panes, if not on this machine: the process is a gateway. */
  readonly over?: Over;
};

/** Machine over SSH, and the number of this gateway of it. */
export interface Over {
  readonly sshd: Reached;
  readonly epoch: number;
}

const { over, ...given } = JSON.parse(process.argv[2] ?? '{}') as Given;
await startMachineAgent({
  ...given,
  ...(over === undefined ? {} : await reached(over)),
  log: () => {},
  clock: systemClock,
  ids: randomUUID,
  random: () => 0.2,
  signal: new AbortController().signal,
  crashPoint(point, kind) {
    if (kind === 'deliver' && point === given.crashAt) process.kill(process.pid, 'SIGKILL');
  },
});

// Node writes its cache of compiled code when a process exits. These processes are killed, so they write it here.
flushCompileCache();

/** Reaches the machine: the next gateway has its key, and no journal of the previous one. */
async function reached({ sshd, epoch }: Over): Promise<Pick<MachineAgentOptions, 'host' | 'machineDir' | 'dataDir'>> {
  const { sshHostOn } = await import('@drover/host/testing');
  const host = sshHostOn(sshd, { epoch, env: { HOME: given.home, GIT_CONFIG_NOSYSTEM: '1' } });
  const { stateDirectory } = await host.open();
  const dataDir = join(given.dataDir, String(epoch));
  if (epoch > 1)
    cpSync(join(given.dataDir, '1'), dataDir, { recursive: true, filter: (path) => !/agent\.db/u.test(path) });
  return { host, dataDir, machineDir: stateDirectory };
}

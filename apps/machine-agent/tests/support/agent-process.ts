/** A machine agent in a process of its own, which ends itself with SIGKILL where a test wants it to. */
import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { systemClock } from '@drover/host';
import type { Reached } from '@drover/host/testing';
import { startMachineAgent, type CrashPoint, type MachineAgentOptions } from '../../src/index.ts';

/** Options of an agent that can be written down. */
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
  /** Where the panes are, if not on this machine: the process is a gateway. */
  readonly over?: Over;
};

/** A machine over SSH, and the how-manieth gateway of it this is. */
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

/** The next gateway has the machine's key, and no journal of the one before. */
async function reached({ sshd, epoch }: Over): Promise<Pick<MachineAgentOptions, 'host' | 'machineDir' | 'dataDir'>> {
  const { sshHostOn } = await import('@drover/host/testing');
  const host = sshHostOn(sshd, { epoch, env: { HOME: given.home, GIT_CONFIG_NOSYSTEM: '1' } });
  const { stateDirectory } = await host.open();
  const dataDir = join(given.dataDir, String(epoch));
  if (epoch > 1)
    cpSync(join(given.dataDir, '1'), dataDir, { recursive: true, filter: (path) => !/agent\.db/u.test(path) });
  return { host, dataDir, machineDir: stateDirectory };
}

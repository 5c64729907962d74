/** A machine agent in a process of its own, which ends itself with SIGKILL where a test wants it to. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '@drover/host';
import { startMachineAgent, type CrashPoint, type MachineAgentOptions } from '../../src/index.ts';

type Given = Pick<
  MachineAgentOptions,
  'coordinatorUrl' | 'dataDir' | 'runtimeDir' | 'machineName' | 'joinToken' | 'profiles' | 'home' | 'version' | 'env'
> & {
  readonly crashAt?: CrashPoint;
};

const given = JSON.parse(process.argv[2] ?? '{}') as Given;
await startMachineAgent({
  ...given,
  log: () => {},
  clock: systemClock,
  ids: randomUUID,
  random: () => 0.2,
  signal: new AbortController().signal,
  crashPoint(point, kind) {
    if (kind === 'deliver' && point === given.crashAt) process.kill(process.pid, 'SIGKILL');
  },
});

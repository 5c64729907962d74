// Checks whether this computer may play hosts that only ssh reaches.
import { sshdProgram } from '@drover/host/testing';
import { LoopbackHost } from '../../loopback-host.ts';
import { DemoFailure } from '../failure.ts';

/** Starts one. @throws {DemoFailure} where it cannot be played. */
export async function startHost(name: string): Promise<LoopbackHost> {
  if (process.platform !== 'linux')
    throw new DemoFailure('This demo cuts connections by what only Linux tells of them');
  if (sshdProgram() === undefined)
    throw new DemoFailure(
      'This demo reaches its hosts through a real sshd, which is not installed. On Debian and Ubuntu: apt-get install openssh-server',
    );
  return LoopbackHost.start(name);
}

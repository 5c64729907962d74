/** Checks that a machine that is reached by SSH keeps the contract of a host, by either carrier. */
import { describe } from 'vitest';

import { hostContract, sshdProgram, sshHostOn, startSshd } from '../../src/testing/index.ts';
import { needs } from './needs.ts';

needs('sshd', sshdProgram(), () => {
  describe.each(['ssh2', 'openssh'] as const)('carried by %s', (carrier) => {
    const open: Parameters<typeof hostContract>[0] = async () => {
      const sshd = await startSshd();
      const host = sshHostOn(sshd, { carrier, env: { OWN: 'own', REMOVED: 'x' } });
      await host.open();
      return {
        ...host,
        async [Symbol.asyncDispose]() {
          await host[Symbol.asyncDispose]();
          await sshd[Symbol.asyncDispose]();
        },
      };
    };
    hostContract(open, { reachesSockets: carrier === 'ssh2' });
  });
});

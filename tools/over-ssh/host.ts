// The hosts of the tests that are run over SSH, to the server that the run started.
import { randomBytes } from 'node:crypto';
import { systemClock } from '@drover/base';
import { createLocalHost } from '@drover/host';
import { connectTo, createSshHost, type SshHost } from '@drover/host/ssh';
import { afterAll, inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly server: {
      readonly directory: string;
      readonly user: string;
      readonly port: number;
      readonly keyFile: string;
      readonly hostKey: string;
    };
  }
}

function newSecret(): string {
  return randomBytes(16).toString('hex');
}

/** A host of its own; closed with the tests of the file. */
export async function openHost(env: Readonly<Record<string, string>> = {}): Promise<SshHost> {
  const { directory, user, port, keyFile, hostKey } = inject('server');
  const [kind = '', key = ''] = hostKey.split(' ');
  const carrier = process.env['TEST_CARRIER'] === 'openssh' ? 'openssh' : 'ssh2';
  const tools = {
    local: createLocalHost({ env: process.env }),
    env: process.env,
    clock: systemClock,
    directory,
    newSecret,
  };
  const destination = { name: `${user}@127.0.0.1`, port, identity: keyFile, configFile: '/dev/null' };
  const host = createSshHost({
    connect: async () => (await connectTo(tools, { destination, pinned: [`${kind} ${key}`], carrier })).carrier,
    // Each is a gateway of its own: they do not end each other's shells.
    machine: newSecret(),
    epoch: 1,
    env,
    clock: systemClock,
    chance: Math.random,
    newSecret,
  });
  await host.open();
  opened.push(host);
  return host;
}

const opened: SshHost[] = [];
afterAll(async () => {
  for (const host of opened.splice(0)) await host[Symbol.asyncDispose]();
});

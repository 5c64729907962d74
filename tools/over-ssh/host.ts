// The hosts of the tests that are run over SSH, to the server that the run started.
import type { SshHost } from '@drover/host/ssh';
import { newSecret, sshHostOn, type Reached } from '@drover/host/testing';
import { afterAll, inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly server: Reached;
  }
}

/** A host of its own; closed with the tests of the file. */
export async function openHost(env: Readonly<Record<string, string>> = {}): Promise<SshHost> {
  const carrier = process.env['TEST_CARRIER'] === 'openssh' ? 'openssh' : 'ssh2';
  // Each is a gateway of its own: they do not end each other's shells.
  const host = sshHostOn(inject('server'), { carrier, env, machine: newSecret() });
  await host.open();
  opened.push(host);
  return host;
}

const opened: SshHost[] = [];
afterAll(async () => {
  for (const host of opened.splice(0)) await host[Symbol.asyncDispose]();
});

// The host of the tests of apps/machine-agent, over SSH: the files are the same, for the server is on loopback; all goes through a gateway's hands.
import type { Host } from '@drover/host';
import { openHost } from './host.ts';

/** Opens a host for each agent that a test starts. */
export async function testHost({ home }: { readonly home: string }): Promise<{ readonly host: Host }> {
  return { host: await openHost({ HOME: home, GIT_CONFIG_NOSYSTEM: '1' }) };
}

/** Machine with the panes, on which the tests run; tools/over-ssh replaces this file by another one. */
import type { MachineAgentOptions } from '../../src/index.ts';

/** Options that differ if the host is reached in another way. */
export function testHost(_options: Pick<MachineAgentOptions, 'home'>): Promise<Pick<MachineAgentOptions, 'host'>> {
  return Promise.resolve({});
}

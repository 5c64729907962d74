/** The machine with the panes is the one that the tests run on; tools/over-ssh has another file in place of this one. */
import type { MachineAgentOptions } from '../../src/index.ts';

/** What is other where it is reached in another way. */
export function testHost(_options: Pick<MachineAgentOptions, 'home'>): Promise<Pick<MachineAgentOptions, 'host'>> {
  return Promise.resolve({});
}

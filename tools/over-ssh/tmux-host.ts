// The host of the tests of packages/tmux, over SSH.
import type { RunOutcome } from '@drover/host';
import { openHost } from './host.ts';

const sshHost = await openHost();

export { systemClock as clock } from '@drover/base';

/** Host as the tests have it: with both outputs of a program as one text. */
export const host = {
  ...sshHost,
  async text(program: string, args: readonly string[]): Promise<string> {
    const { stdout, stderr }: RunOutcome = await sshHost.run(program, args, { timeoutMs: 10_000 });
    return stdout + stderr;
  },
};

/** Host and clock of the tests: this machine, and a clock that nobody sets. `npm run test:ssh` has others in their place. */
import { type Clock, systemClock } from '@drover/base';
import { createLocalHost, type Host } from '@drover/host';

export const clock: Clock = { now: systemClock.elapsed, after: systemClock.after };

const local = createLocalHost({ env: process.env });

/** Host as the tests have it: with both outputs of a program as one text. */
export const host: Host & { readonly text: (program: string, args: readonly string[]) => Promise<string> } = {
  ...local,
  async text(program, args) {
    const { stdout, stderr } = await local.run(program, args, { timeoutMs: 10_000 });
    return stdout + stderr;
  },
};

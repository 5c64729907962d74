/**
 * Plays random histories on real git: `node packages/worktree/tests/histories/main.ts [--count 1000] [--seed N] [--faults]`. With `--faults`
 * it plays them on builds of the flow with one fault each, and says which histories find it. The exit status is 1 if anything is broken,
 * or a fault is not found.
 */
import { parseArgs } from 'node:util';
import { FAULTS } from './faults.ts';
import { playHistories } from './history.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    faults: { type: 'boolean', default: false },
  },
});
const [seed, count] = [Number(values.seed), Number(values.count)];

if (values.faults) {
  for (const [what, flow] of Object.entries(FAULTS)) {
    const found = await playHistories({ seed, count, flow }).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message.slice(0, 160) : String(error)),
    );
    process.stdout.write(`${what}: ${found ?? 'NOT FOUND'}\n`);
    if (found === undefined) process.exitCode = 1;
  }
} else {
  const tally = await playHistories({ seed, count });
  const parts = [...tally].map(([what, times]) => `${times} ${what}`).join(', ');
  process.stdout.write(`${count} histories of seed ${seed}: ${parts}\n`);
}

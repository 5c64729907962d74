/**
 * Plays random histories on real git: `node packages/worktree/tests/histories/main.ts [--count 1000] [--seed N] [--across] [--faults]`.
 * `--across`: those in which main is on another machine. With `--faults` it plays them on builds of the flow with one fault each, and says
 * which histories find it. The exit status is 1 if anything is broken, or a fault is not found.
 */
import { parseArgs } from 'node:util';
import { FAULTS_ACROSS } from './across-faults.ts';
import { playAcross } from './across.ts';
import { FAULTS } from './faults.ts';
import { playHistories } from './history.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    across: { type: 'boolean', default: false },
    faults: { type: 'boolean', default: false },
  },
});
const how = { seed: Number(values.seed), count: Number(values.count) };
const faulty = values.across
  ? Object.entries(FAULTS_ACROSS).map(([what, build]) => [what, () => playAcross({ ...how, build })] as const)
  : Object.entries(FAULTS).map(([what, flow]) => [what, () => playHistories({ ...how, flow })] as const);

if (values.faults) {
  for (const [what, play] of faulty) {
    const found = await play().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message.slice(0, 160) : String(error)),
    );
    process.stdout.write(`${what}: ${found ?? 'NOT FOUND'}\n`);
    if (found === undefined) process.exitCode = 1;
  }
} else {
  const tally = values.across ? await playAcross(how) : await playHistories(how);
  const parts = [...tally].map(([what, times]) => `${times} ${what}`).join(', ');
  process.stdout.write(`${how.count} histories of seed ${how.seed}: ${parts}\n`);
}

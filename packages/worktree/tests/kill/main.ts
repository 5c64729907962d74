/**
 * Kills steps of the git flow at each of their git calls, with SIGKILL at a random moment of the call, and repeats them:
 * `node packages/worktree/tests/kill/main.ts [--kills 1000] [--step NAME]… [--seed N]`. The exit status is 1 if anything was lost.
 */
import { parseArgs } from 'node:util';
import { seededChance } from '../chance.ts';
import { repeatStep } from './die.ts';
import { KILL_STEPS } from './steps.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    step: { type: 'string', multiple: true, default: Object.keys(KILL_STEPS) },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const kills = Math.ceil(Number(values.kills) / values.step.length);
/** A call is killed somewhere in so many times the time that it took; later means that only its answer is lost. */
const SPREAD = 1.2;

const chance = seededChance(Number(values.seed));

process.stdout.write(`seed ${values.seed}, ${kills} kills of each step\n`);
for (const name of values.step) {
  await using step = await repeatStep(name);
  const { callsMs } = step;
  const times = callsMs.map(() => 0);
  const totals = { hit: 0, locks: 0, lost: 0 };
  for (let round = 0; round < kills; round += 1) {
    const call = round % callsMs.length;
    const afterMs = chance.part() * SPREAD * (callsMs[call] ?? 0);
    times[call] = (times[call] ?? 0) + 1;
    try {
      const { wasHit, locks } = await step.dieAt({ call, afterMs });
      totals.hit += wasHit ? 1 : 0;
      totals.locks += locks;
    } catch (error) {
      totals.lost += 1;
      process.exitCode = 1;
      const words = error instanceof Error ? error.message : String(error);
      process.stderr.write(`${name}, call ${call} after ${afterMs.toFixed(1)} ms: ${words}\n`);
    }
  }
  const each = `each of ${callsMs.length} calls at least ${Math.min(...times)} times`;
  const answers = `${totals.hit} in the middle of the call`;
  const ends = `${totals.locks} locks named; ${totals.lost} failed`;
  process.stdout.write(`${name}: ${kills} kills, ${each}, ${answers}, ${ends}\n`);
}

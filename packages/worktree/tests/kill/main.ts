/**
 * Kills steps of the git flow at each of their calls, of git with SIGKILL at a random moment of the call, of files before, in and after the
 * change, and repeats them: `node packages/worktree/tests/kill/main.ts [--each 3] [--step NAME]… [--seed N]`. `--each` is how often
 * each call of each step is killed; each step is killed 20 times at least. The exit status is 1 if anything was lost.
 */
import { parseArgs } from 'node:util';
import { messageOf } from '@drover/base';
import { seededChance } from '../chance.ts';
import { repeatStep } from './die.ts';
import { KILL_STEPS } from './steps/index.ts';

const { values } = parseArgs({
  options: {
    each: { type: 'string', default: '3' },
    step: { type: 'string', multiple: true, default: Object.keys(KILL_STEPS) },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
/** A call is killed somewhere in so many times the time that it took; later means that only its answer is lost. */
const SPREAD = 1.3;

/** Kills of a step that has few calls. */
const KILLS_MIN = 20;

const chance = seededChance(Number(values.seed));
let all = 0;

process.stdout.write(`seed ${values.seed}\n`);
for (const name of values.step) {
  await using step = await repeatStep(name);
  const { calls } = step;
  const kills = Math.max(KILLS_MIN, Number(values.each) * calls.length);
  const times = calls.map(() => 0);
  const totals = { hit: 0, locks: 0, lost: 0 };
  for (let round = 0; round < kills; round += 1) {
    const call = round % calls.length;
    const part = chance.part() * SPREAD;
    times[call] = (times[call] ?? 0) + 1;
    try {
      const { wasHit, locks } = await step.dieAt({ call, part });
      totals.hit += wasHit ? 1 : 0;
      totals.locks += locks;
    } catch (error) {
      totals.lost += 1;
      process.exitCode = 1;
      const words = messageOf(error);
      process.stderr.write(`${name}, ${calls[call]} call ${call} at ${part.toFixed(2)} of it: ${words}\n`);
    }
  }
  const sum = times.reduce((before, one) => before + one, 0);
  all += sum;
  const [git, file] = [calls.filter((kind) => kind === 'git').length, calls.filter((kind) => kind === 'file').length];
  const each = `each of ${git} calls of git and ${file} of files at least ${Math.min(...times)} times`;
  const ends = `${totals.hit} in the middle of it; ${totals.locks} locks named; ${totals.lost} failed`;
  process.stdout.write(`${name}: ${sum} kills, ${each}, ${ends}\n`);
}
process.stdout.write(`${all} kills\n`);

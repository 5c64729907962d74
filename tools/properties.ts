// `npm run properties`: as many random histories as asked for against each rule of recovery, with how fast each was.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { messageOf } from '@drover/base';
import { decide } from '@drover/core';
import { playOnce, prove, RULES } from '@drover/core/testing';
import { runProgram, wholeNumber } from './program.ts';

const HELP = `Usage: npm run properties -- [--runs N] [--only LETTER] [--seed=S]
       npm run properties -- --only LETTER --history=S/N

  --runs N       histories for each property (10,000)
  --only LETTER  only the properties of this rule, such as R3; several processes with a rule each use several cores
  --seed=S       the seed of the run, to play the same histories again; it may be negative
  --history=S/N  the one history that a failure printed, by its own seed and length

Exit status 1: a rule was broken.`;

/** Seeds of fast-check are numbers of 32 bits. */
const SEEDS = 2 ** 31;

/** @returns whether all rules that are asked for hold. */
function main(): boolean {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '10000' },
      only: { type: 'string' },
      seed: { type: 'string', default: String(randomInt(SEEDS)) },
      history: { type: 'string' },
    },
  });
  const { history, only } = values;
  const rules = RULES.filter(({ letter }) => only === undefined || letter === only);
  if (rules.length === 0)
    throw new Error(`No rule is called "${only}": there are ${RULES.map(({ letter }) => letter).join(', ')}`);
  const runs = wholeNumber('--runs', values.runs, 1);
  const seed = wholeNumber('--seed', values.seed, -SEEDS);
  let isKept = true;
  for (const rule of rules) {
    const before = process.cpuUsage();
    const report =
      history === undefined ? prove(rule, decide, { runs, seed, evenly: true }).report : again(rule, history);
    const { user, system } = process.cpuUsage(before);
    isKept &&= report === null;
    console.log(`${report === null ? 'held  ' : 'BROKEN'} ${rule.letter}: ${rule.holds} (${seconds(user + system)})`);
    if (report !== null) console.log(report);
  }
  if (history === undefined) console.log(`${runs} histories for each, seed ${seed}`);
  return isKept;
}

/** Plays one history that a failure printed. @returns what it breaks. */
function again(rule: (typeof RULES)[number], history: string): string | null {
  const [seed = '', length = ''] = history.split('/');
  try {
    const which = { seed: wholeNumber('--history', seed, -SEEDS), length: wholeNumber('--history', length, 1) };
    playOnce(rule, decide, which);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

function seconds(microseconds: number): string {
  return `${(microseconds / 1_000_000).toFixed(1)} s of a core`;
}

await runProgram(HELP, main);

// `npm run properties`: as many histories as asked for against each rule of recovery, with the time that each took.
import { parseArgs } from 'node:util';
import { decide } from '@drover/core';
import { prove, RULES } from '@drover/core/testing';

const HELP = `Usage: npm run properties -- [--runs N] [--only LETTER] [--seed=S] [--path P]

  --runs N       histories for each property (10,000)
  --only LETTER  only the properties of this rule, such as R3
  --seed=S       the seed that a failure told, to play it again; it may be negative
  --path P       its path, to play that history alone

Exit status 1: a rule was broken.`;

function main(): number {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '10000' },
      only: { type: 'string' },
      seed: { type: 'string' },
      path: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const from = {
    runs: wholeNumber('--runs', values.runs),
    ...(values.seed !== undefined && { seed: wholeNumber('--seed', values.seed) }),
    ...(values.path !== undefined && { path: values.path }),
  };
  const rules = RULES.filter(({ letter }) => values.only === undefined || letter === values.only);
  if (rules.length === 0)
    throw new Error(`No rule is called "${values.only}"; there are ${RULES.map(({ letter }) => letter).join(', ')}`);
  return rules.filter((rule) => !isKept(rule, from)).length === 0 ? 0 : 1;
}

function isKept(rule: (typeof RULES)[number], from: Parameters<typeof prove>[2]): boolean {
  const began = performance.now();
  const { failed, runs, seed, report } = prove(rule, decide, from);
  const seconds = (performance.now() - began) / 1_000;
  const speed = `${Math.round(runs / seconds)} runs/s, seed ${seed}`;
  console.log(
    `${failed ? 'BROKEN' : 'held'}  ${rule.letter}: ${rule.holds} (${runs} runs, ${seconds.toFixed(1)} s, ${speed})`,
  );
  if (report !== null) console.log(report);
  return !failed;
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${name} takes a whole number, not "${text}"`);
  return value;
}

process.exitCode = main();

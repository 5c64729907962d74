// `npm run properties`: as many histories as asked for against each rule of recovery, with how fast each was.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { messageOf } from '@drover/base';
import { decide } from '@drover/core';
import { playOnce, RULES } from '@drover/core/testing';
import { runAll } from '../pool.ts';
import { revisionOf } from '../revision.ts';
import { notePart, openRun, partsOf, rulesOf } from './parts.ts';
import type { Asked, Part, PartDone, RunState } from './parts.ts';

const HELP = `Usage: npm run properties -- [--runs N] [--only LETTER] [--seed=S] [--processes P] [--state FILE]
       npm run properties -- --only LETTER --history=S/N

  --runs N       histories for each property (10,000)
  --only LETTER  only the properties of this rule, such as R3
  --seed=S       the seed of the run, to play the same histories again; it may be negative
  --history=S/N  the one history that a failure told, by its own seed and length
  --processes P  processes at once (1)
  --state FILE   write what is done to FILE every thousand histories, and go on from there when started again

A property that is broken is not played on. Exit status 1: a rule was broken.`;

/** The numbers that fast-check takes as a seed are those of 32 bits. */
const SEEDS = 2 ** 31;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '10000' },
      only: { type: 'string' },
      seed: { type: 'string' },
      history: { type: 'string' },
      processes: { type: 'string', default: '1' },
      state: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const asked = { runs: wholeNumber('--runs', values.runs, 1), only: values.only ?? null };
  const seed = values.seed === undefined ? null : wholeNumber('--seed', values.seed, -SEEDS);
  if (rulesOf(asked).length === 0)
    throw new Error(`No rule is called "${asked.only}"; there are ${RULES.map(({ letter }) => letter).join(', ')}`);
  if (values.history !== undefined) return again(asked, values.history);
  const processes = wholeNumber('--processes', values.processes, 1);
  return runMany(
    openRun(
      values.state ?? null,
      { ...asked, source: revisionOf(['packages/core/src']) },
      { told: seed, drawn: randomInt(SEEDS) },
    ),
    {
      file: values.state ?? null,
      processes,
    },
  );
}

/** Plays one history that a failure told of. */
function again(asked: Asked, told: string): number {
  const [seed = '', length = ''] = told.split('/');
  const history = { seed: wholeNumber('--history', seed, -SEEDS), length: wholeNumber('--history', length, 1) };
  let status = 0;
  for (const place of rulesOf(asked)) {
    const rule = RULES[place];
    if (rule === undefined) continue;
    try {
      playOnce(rule, decide, history);
      console.log(`held  ${rule.letter}: ${rule.holds}`);
    } catch (error) {
      console.log(`BROKEN  ${rule.letter}: ${rule.holds}\n${messageOf(error)}`);
      status = 1;
    }
  }
  return status;
}

async function runMany(
  run: RunState,
  { file, processes }: { readonly file: string | null; readonly processes: number },
): Promise<number> {
  if (run.done.length > 0) console.log(`Going on with "${file}": ${run.done.length} parts are done.`);
  for (const place of rulesOf(run)) tellIfOver(run, place);
  const startedAt = performance.now() - run.seconds * 1_000;
  const done = (result: PartDone): boolean => {
    const { rule } = result.part;
    const wasBroken = isBroken(run, rule);
    run.seconds = (performance.now() - startedAt) / 1_000;
    notePart(run, file, result);
    if (!wasBroken) tellIfOver(run, rule);
    return true;
  };
  await runAll(partsLeft(run), { processes, child: new URL('child.ts', import.meta.url), args: [], done });
  console.log(`${run.seconds.toFixed(1)} s in all, seed ${run.seed}`);
  return rulesOf(run).some((place) => isBroken(run, place)) ? 1 : 0;
}

function* partsLeft(run: RunState): Generator<Part> {
  const over = new Set(run.done);
  for (const part of partsOf(run, run.seed)) if (!over.has(part.index) && !isBroken(run, part.rule)) yield part;
}

function isBroken({ sums }: RunState, place: number): boolean {
  return (sums[place]?.report ?? null) !== null;
}

/** Says what became of a property as soon as it is broken, or all of its histories are played. */
function tellIfOver(run: RunState, place: number): void {
  const [rule, sum] = [RULES[place], run.sums[place]];
  if (rule === undefined || sum === undefined || (sum.report === null && sum.runs < run.runs)) return;
  const speed = `${sum.cpuSeconds.toFixed(1)} s of a core, ${Math.round(sum.runs / sum.cpuSeconds)} runs/s`;
  const verdict = sum.report === null ? 'held' : 'BROKEN';
  console.log(`${verdict}  ${rule.letter}: ${rule.holds} (${sum.runs} runs, ${speed})`);
  if (sum.report !== null) console.log(sum.report);
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least)
    throw new Error(`${name} takes a whole number of at least ${least}, not "${text}"`);
  return value;
}

process.exitCode = await main();

// `npm run sim`: schedules of the deterministic simulation, as many as asked for, with what they reached.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { runAll } from '../pool.ts';
import { runProgram, wholeNumber } from '../program.ts';
import { runRange, type Manner, type Range } from './child.ts';
import { killAt, KILLS, STEPS } from './kills.ts';
import { keepSeed, keptSeeds, modelRevision } from './runs/kept-seeds.ts';
import { report } from './runs/report.ts';
import { addSums, emptySums, type Sums } from './runs/sums.ts';
import { runSchedule } from './schedule.ts';
import { SqlWorlds } from './coordinator/world.ts';

const HELP = `Usage: npm run sim -- [--seeds N] [--first S] [--fleet] [--runs] [--keep-going] [--processes P]
       npm run sim -- --sql [--seeds N] [--first S] [--fleet] [--runs] [--keep-going] [--processes P]
       npm run sim -- --trace SEED [--fleet] [--runs] [--sql]
       npm run sim -- --kills N [--way accept|train|move|run]

  --seeds N      schedules to run (300)
  --first S      the first seed (1)
  --fleet        with one to three projects, people who label, cordon and drain machines and change settings, and hosts behind gateways
  --runs         with --fleet: start runs in each schedule, where otherwise one of seven has some
  --keep-going   do not stop at the first broken promise; list all of them
  --processes P  processes at once (one for each core)
  --sql          keep the state in a real Postgres, of each process its own; its connections are killed, and in one schedule
                 of ten it is restarted. Which statement comes first is up to the server there: a seed is much the same, and
                 not exactly the same, each time
  --kills N      kill agents and coordinators N times at each place of each step of accepts, trains, moves and runs, or of one of
                 these ways, in schedules that are calm but for that
  --trace SEED   run one schedule and print its timeline

Seeds that broke a promise are added to tools/sim/runs/kept-seeds.json, and run first every time. Exit status 1: a promise was
broken, or 10,000 schedules and more did not reach an edge of the decision trees.`;

/** Schedules that one process takes at a time: about a second of work. */
const RANGE = 50;
/** The same with a real database: some seconds. */
const SQL_RANGE = 5;

interface Wanted extends Manner {
  readonly first: number;
  readonly seeds: number;
  readonly keepGoing: boolean;
  readonly processes: number;
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '300' },
      first: { type: 'string', default: '1' },
      'keep-going': { type: 'boolean', default: false },
      processes: { type: 'string', default: String(availableParallelism()) },
      trace: { type: 'string' },
      kills: { type: 'string' },
      way: { type: 'string' },
      sql: { type: 'boolean', default: false },
      fleet: { type: 'boolean', default: false },
      runs: { type: 'boolean' },
    },
  });
  const manner: Manner = { sql: values.sql, isPlain: !values.fleet, runs: values.runs === true ? true : undefined };
  if (values.kills !== undefined) return kill(wholeNumber('--kills', values.kills, 1), values.way);
  if (values.trace !== undefined) return trace(wholeNumber('--trace', values.trace, 0), manner);
  return runMany({
    ...manner,
    first: wholeNumber('--first', values.first, 0),
    seeds: wholeNumber('--seeds', values.seeds, 1),
    keepGoing: values['keep-going'],
    processes: wholeNumber('--processes', values.processes, 1),
  });
}

async function kill(times: number, way: string | undefined): Promise<boolean> {
  const cases = KILLS.filter((at) => way === undefined || at.way === way);
  if (cases.length === 0) throw new Error(`--way "${way}" is none of ${Object.keys(STEPS).join(', ')}`);
  const all: string[] = [];
  let kills = 0;
  let least = Infinity;
  for (const at of cases) {
    const { hits, broken } = await killAt(at, { times, salt: 1_000 + KILLS.indexOf(at) });
    kills += hits;
    least = Math.min(least, hits);
    all.push(...broken);
    console.log(`${at.way}: ${at.kind} ${at.point}: ${at.who} killed ${hits} times, ${broken.length} broken promises`);
  }
  for (const one of all) console.log(one);
  console.log(`${kills} kills at ${cases.length} places, ${least} at least at each, ${all.length} broken promises`);
  return all.length === 0;
}

async function trace(seed: number, { sql, isPlain, runs }: Manner): Promise<boolean> {
  await using worlds = new SqlWorlds();
  const tally = await runSchedule(seed, { keepLines: true, isPlain, runs, ...(sql && { open: worlds.open }) });
  for (const line of tally.timeline) console.log(line);
  console.log(tally.violation === null ? 'Every promise was kept.' : `Broken: ${tally.violation}`);
  return tally.violation === null;
}

async function runMany({ first, seeds, keepGoing, processes, ...manner }: Wanted): Promise<boolean> {
  const { sql, isPlain, runs } = manner;
  const model = modelRevision();
  if (!sql && !(await keptSeedsHold(model)) && !keepGoing) return false;
  const [size, all] = [sql ? SQL_RANGE : RANGE, emptySums()];
  const ranges = Array.from({ length: Math.ceil(seeds / size) }, (_, index): Range => {
    return { ...manner, first: first + index * size, count: Math.min(size, seeds - index * size) };
  });
  const startedAt = performance.now();
  const done = (sums: Sums): boolean => {
    addSums(all, sums);
    for (const { seed, what } of sums.broken) {
      const words = [
        'npm run sim -- --trace',
        seed,
        isPlain ? '' : '--fleet',
        runs ? '--runs' : '',
        sql ? '--sql' : '',
      ];
      console.log(`seed ${seed}: ${what}\n  ${words.filter((word) => word !== '').join(' ')}`);
      if (!sql) keepSeed({ seed, what, model });
    }
    return keepGoing || sums.broken.length === 0;
  };
  await runAll(ranges, {
    processes: Math.min(processes, ranges.length),
    child: new URL('child.ts', import.meta.url),
    done,
  });
  const missing = report(all, { seconds: (performance.now() - startedAt) / 1_000, isPlain });
  if (missing.length > 0) console.log(`Never reached: ${missing.join(', ')}`);
  return all.broken.length === 0 && missing.length === 0;
}

/** Seeds of another model are other schedules by now: they are run all the same, for what they are worth, on a plain fleet and on others. */
async function keptSeedsHold(model: string): Promise<boolean> {
  let isWell = true;
  for (const { seed, what, model: foundWith } of keptSeeds())
    for (const isPlain of [true, false]) {
      const { broken } = await runRange({ first: seed, count: 1, isPlain, sql: false });
      for (const now of broken) {
        const age = foundWith === model ? `as before: ${what}` : 'found with another model';
        console.log(`kept seed ${seed} breaks a promise (${age}): ${now.what}\n  npm run sim -- --trace ${seed}`);
        isWell = false;
      }
    }
  return isWell;
}

// Thousands of errors are thrown on purpose, and their stacks are not read.
Error.stackTraceLimit = 0;
await runProgram(HELP, main);

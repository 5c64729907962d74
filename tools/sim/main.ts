// `npm run sim`: schedules of the deterministic simulation, as many as asked for, with what they reached.
import { parseArgs } from 'node:util';
import { coverage } from './coverage.ts';
import { runSchedule } from './schedule.ts';
import { addAll } from './tally.ts';
import type { Counts } from './tally.ts';

const HELP = `Usage: npm run sim -- [--seeds N] [--first S] [--trace SEED] [--keep-going]

  --seeds N     schedules to run (300)
  --first S     the first seed (1)
  --trace SEED  run one schedule and print its timeline
  --keep-going  do not stop at the first broken promise; list all of them`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '300' },
      first: { type: 'string', default: '1' },
      trace: { type: 'string' },
      'keep-going': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  if (values.trace !== undefined) return trace(Number(values.trace));
  return runMany(Number(values.first), Number(values.seeds), values['keep-going']);
}

async function trace(seed: number): Promise<number> {
  const tally = await runSchedule(seed, { keepLines: true });
  for (const line of tally.timeline) console.log(line);
  console.log(tally.violation === null ? 'Every promise was kept.' : `Broken: ${tally.violation}`);
  return tally.violation === null ? 0 : 1;
}

async function runMany(first: number, seeds: number, keepGoing: boolean): Promise<number> {
  const sums = { faults: new Map(), recoveries: new Map(), rules: new Map(), statuses: new Map() } satisfies Record<
    string,
    Counts
  >;
  const broken: { seed: number; what: string }[] = [];
  let checks = 0;
  let done = 0;
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  for (let seed = first; seed < first + seeds; seed += 1) {
    const tally = await runSchedule(seed, { keepLines: false });
    done += 1;
    checks += tally.checks;
    for (const name of ['faults', 'recoveries', 'rules', 'statuses'] as const) addAll(sums[name], tally[name]);
    if (tally.violation === null) continue;
    broken.push({ seed, what: tally.violation });
    console.log(`seed ${seed}: ${tally.violation}\n  npm run sim -- --trace ${seed}`);
    if (!keepGoing) break;
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpu = process.cpuUsage(cpuBefore);
  const cpuSeconds = (cpu.user + cpu.system) / 1_000_000;
  table('Faults', sums.faults);
  table('Recoveries and escalations', sums.recoveries);
  table('Moves', sums.statuses);
  console.log('\nRules of decide');
  for (const { rule, times } of coverage(sums.rules))
    console.log(`  ${String(times).padStart(9)}  ${rule}${times === 0 ? '   never reached' : ''}`);
  console.log(
    `\n${done} schedules in ${seconds.toFixed(1)} s (${(done / seconds).toFixed(0)}/s; ${(done / cpuSeconds).toFixed(0)} for each second of a core), ${checks} checks, ${broken.length} schedules with a broken promise`,
  );
  return broken.length === 0 ? 0 : 1;
}

function table(title: string, counts: Counts): void {
  console.log(`\n${title}`);
  for (const [name, times] of [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    console.log(`  ${String(times).padStart(9)}  ${name}`);
}

// Thousands of failures are thrown on purpose, and nobody reads where.
Error.stackTraceLimit = 0;
process.exitCode = await main();

// Runs `npm run drill -- NAME`: plays on real parts, for long, what tests play for seconds, and says what was not as promised.
import { parseArgs } from 'node:util';
import { messageOf } from '@drover/base';
import { leaveAlone } from './away.ts';
import type { Findings } from './findings.ts';
import { killGateways } from './gateways/gateways.ts';
import { measureMemory } from './memory.ts';
import { MISHAPS, type Mishap } from './soak/mishaps.ts';
import { soak } from './soak/soak.ts';

const HELP = `npm run drill -- soak     [--minutes 480] [--workers 6] [--mishaps ${MISHAPS.join(',')}]
npm run drill -- memory   [--minutes 90] [--workers 10] [--rest 75]
npm run drill -- away     [--minutes 60]
npm run drill -- gateways [--kills 25] [--seed 1] [--runs]

soak      Simulated agents work while one part after the other is killed, cut off, or has no room on its disk (root on Linux only: the
          disks are files with file systems in them). Counts each task, and judges what grows; processes that live long are spared in
          the second half. "--mishaps none" leaves all parts alone. Ctrl-C ends it early.
memory    Builds and installs the package, and measures the memory of its "drover up" (Linux only) while simulated agents work, resting some
          seconds between two tasks: after 90 minutes all of it is within 150 MiB and has not grown.
away      The coordinator is away for so long while its machine works on; then it comes back.
gateways  Kills the gateway that serves four workers over SSH at random moments of delivery, recovery and merge; with --runs at each step
          of runs, two at once (needs openssh-server).

Exit status: 0 all as promised, 1 not, 2 it could not run.
`;

const { values, positionals } = parseArgs({
  options: {
    minutes: { type: 'string' },
    workers: { type: 'string' },
    rest: { type: 'string', default: '75' },
    mishaps: { type: 'string', default: MISHAPS.join(',') },
    kills: { type: 'string', default: '25' },
    seed: { type: 'string', default: '1' },
    runs: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
  allowPositionals: true,
});

/** @throws when it is no number above 0. */
function numberOf(name: string, given: string): number {
  const number = Number(given);
  if (!(number > 0)) throw new Error(`--${name} is "${given}", and must be a number above 0`);
  return number;
}

function minutesOf(usual: string): number {
  return numberOf('minutes', values.minutes ?? usual) * 60_000;
}

function mishapsOf(given: string): readonly Mishap[] {
  const names = given === 'none' ? [] : given.split(',');
  const unknown = names.filter((name) => !MISHAPS.some((mishap) => mishap === name));
  if (unknown.length > 0)
    throw new Error(`--mishaps has "${unknown.join()}", and may have: none, ${MISHAPS.join(', ')}`);
  return MISHAPS.filter((mishap) => names.includes(mishap));
}

const DRILLS: Readonly<Record<string, (stop: AbortSignal) => Promise<Findings>>> = {
  soak: (stop) =>
    soak(
      {
        totalMs: minutesOf('480'),
        workers: numberOf('workers', values.workers ?? '6'),
        mishaps: mishapsOf(values.mishaps),
        print: (text) => console.log(text),
      },
      stop,
    ),
  memory: (stop) =>
    measureMemory(
      {
        totalMs: minutesOf('90'),
        workers: numberOf('workers', values.workers ?? '10'),
        restMs: numberOf('rest', values.rest) * 1_000,
        print: (text) => console.log(text),
      },
      stop,
    ),
  away: () => leaveAlone(minutesOf('60')),
  gateways: (stop) =>
    killGateways({ kills: numberOf('kills', values.kills), seed: Number(values.seed), isRuns: values.runs }, stop),
};

const drill = DRILLS[positionals[0] ?? ''];
if (values.help) process.stdout.write(HELP);
else if (drill === undefined) {
  process.stderr.write(`Name a drill:\n\n${HELP}`);
  process.exitCode = 2;
} else
  try {
    const stop = new AbortController();
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort(new Error(name)));
    const { lines, problems } = await drill(stop.signal);
    for (const line of lines) console.log(line);
    console.log(problems.length === 0 ? 'All is as promised.' : `Not as promised:\n${problems.join('\n')}`);
    process.exitCode = problems.length === 0 ? 0 : 1;
  } catch (error) {
    console.error(`drill: ${error instanceof Error ? (error.stack ?? messageOf(error)) : messageOf(error)}`);
    process.exitCode = 2;
  }

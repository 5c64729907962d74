// Runs simulated agents in the workers' panes, each with a witness log of its own.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SIM_AGENT_ENTRY, type WitnessLine } from '@drover/sim-agent';
import { readLines } from '../seeing/animated-panes.ts';
import type { Cast } from './bench-fleet.ts';

/** The simulated agent; it writes what it took into `WORKER.jsonl`. */
export const SIMULATED: Cast = {
  profile: 'sim',
  program: async ({ dir }) => {
    const log = join(dir, '$DROVER_WORKER.jsonl');
    const control = join(dir, '$DROVER_WORKER.control');
    const words = [process.execPath, SIM_AGENT_ENTRY].map((word) => `'${word}'`).join(' ');
    const script = `exec ${words} --log "${log}" --control "${control}" --tick-ms 40 "$@"`;
    return { program: ['/bin/sh', '-c', script, 'sim-agent'], args: [], env: {} };
  },
  answerQuickly: ({ dir }, worker) => writeFileSync(join(dir, `${worker}.control`), 'SAY ok'),
  taken: ({ dir }, worker) =>
    readLines<WitnessLine>(join(dir, `${worker}.jsonl`)).flatMap((line) =>
      line.event === 'taken' ? [{ prompt: line.prompt, at: line.t }] : [],
    ),
};

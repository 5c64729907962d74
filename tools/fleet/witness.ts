/** Log of the simulated agents themselves, which no part of Drover writes. */
import { existsSync, readFileSync } from 'node:fs';

/** A line of the log, with the fields that these tests read. Source: apps/sim-agent/src/records/witness.ts. */
export interface WitnessLine {
  readonly t: number;
  readonly pid: number;
  readonly event: string;
  readonly cwd?: string;
  readonly prompt?: string;
  readonly sha256?: string;
}

/** Reads the whole lines of a log; the last one may be half written. */
export function readWitness(file: string): readonly WitnessLine[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  return lines.map((line) => JSON.parse(line) as WitnessLine);
}

/** Lists taken prompts with these words, in any form: a repetition with a note around it counts. */
export function takenWith(lines: readonly WitnessLine[], words: string): readonly WitnessLine[] {
  return lines.filter(({ event, prompt }) => event === 'taken' && prompt?.includes(words) === true);
}

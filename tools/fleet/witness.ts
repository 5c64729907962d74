/** Log of the simulated agents themselves, which no part of Drover writes. */

/** A line of the log, with the fields that these tests read. Source: apps/sim-agent/src/records/witness.ts. */
export interface WitnessLine {
  readonly t: number;
  readonly pid: number;
  readonly event: string;
  readonly prompt?: string;
  readonly sha256?: string;
}

/** Lists taken prompts with these words, in any form: a repetition with a note around it counts. */
export function takenWith(lines: readonly WitnessLine[], words: string): readonly WitnessLine[] {
  return lines.filter(({ event, prompt }) => event === 'taken' && prompt?.includes(words) === true);
}

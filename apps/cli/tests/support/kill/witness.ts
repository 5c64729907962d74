/** What did the simulated agents themselves see? Their own log, which no part of Drover writes. */

/** A line of it, as far as these tests read it. Source: apps/sim-agent/src/records/witness.ts. */
export interface WitnessLine {
  readonly t: number;
  readonly pid: number;
  readonly event: string;
  readonly prompt?: string;
  readonly sha256?: string;
}

/** The prompts with these words in them that were taken, in any form: a repetition with a note around it counts. */
export function takenWith(lines: readonly WitnessLine[], words: string): readonly WitnessLine[] {
  return lines.filter(({ event, prompt }) => event === 'taken' && prompt?.includes(words) === true);
}

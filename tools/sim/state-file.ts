// How does a long run go on after it was stopped? What is done lies in a file, written anew after each range.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Range } from './child.ts';
import { addSums, emptySums } from './sums.ts';
import type { Sums } from './sums.ts';

/** A run of many schedules, as far as it has come. */
export interface RunState {
  readonly first: number;
  readonly seeds: number;
  /** Wall clock that it took so far, in seconds. */
  seconds: number;
  /** First seeds of the ranges that are over. */
  readonly done: number[];
  readonly sums: Sums;
}

/** A run that has just begun, or the one of the file if it is the same one. @throws when the file holds another run. */
export function openRun(file: string | null, { first, seeds }: { first: number; seeds: number }): RunState {
  const fresh: RunState = { first, seeds, seconds: 0, done: [], sums: emptySums() };
  if (file === null) return fresh;
  const text = readIfThere(file);
  if (text === null) return fresh;
  const found = JSON.parse(text) as RunState;
  if (found.first !== first || found.seeds !== seeds) {
    const its = `--first ${found.first} --seeds ${found.seeds}`;
    throw new Error(`"${file}" holds another run (${its}): repeat its options to go on with it, or name another file`);
  }
  return found;
}

/** Takes what a range came to, and writes the file if there is one. */
export function noteRange(
  run: RunState,
  { file, range, sums }: { file: string | null; range: Range; sums: Sums },
): void {
  run.done.push(range.first);
  addSums(run.sums, sums);
  if (file === null) return;
  writeFileSync(`${file}.new`, JSON.stringify(run));
  renameSync(`${file}.new`, file);
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

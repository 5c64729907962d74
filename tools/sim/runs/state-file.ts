// Lets a long run go on after a stop: a file, rewritten after each range, holds what is done.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Range } from '../child.ts';
import { addSums, emptySums } from './sums.ts';
import type { Sums } from './sums.ts';

/** A run of many schedules, as far as it has come. */
export interface RunState {
  readonly first: number;
  readonly seeds: number;
  /** The revision of the source that it runs. */
  readonly source: string;
  /** Wall clock that it took so far, in seconds. */
  seconds: number;
  /** Ranges that are over, by their first seeds. */
  readonly done: number[];
  readonly sums: Sums;
}

/** A run that has just begun, or the one of the file if it is the same one. @throws when the file holds another run. */
export function openRun(file: string | null, asked: Pick<RunState, 'first' | 'seeds' | 'source'>): RunState {
  const { first, seeds, source } = asked;
  const fresh: RunState = { first, seeds, source, seconds: 0, done: [], sums: emptySums() };
  if (file === null) return fresh;
  const text = readIfThere(file);
  if (text === null) return fresh;
  const found = JSON.parse(text) as RunState;
  if (found.first !== first || found.seeds !== seeds) {
    const its = `--first ${found.first} --seeds ${found.seeds}`;
    throw new Error(`"${file}" holds another run (${its}): repeat its options to go on with it, or name another file`);
  }
  refuseOther(file, { begunOn: found.source, source });
  return found;
}

/** @throws when a run was begun on another source: what is done says nothing of this one. */
export function refuseOther(
  file: string,
  { begunOn, source }: { readonly begunOn: string | undefined; readonly source: string },
): void {
  if (begunOn === source) return;
  const what = `"${file}" was begun on another source (${begunOn ?? 'not known'}, now ${source})`;
  throw new Error(`${what}: check that out to go on with it, or name another file`);
}

/** Adds the result of a range, and writes the file if there is one. */
export function noteRange(
  run: RunState,
  { file, range, sums }: { file: string | null; range: Range; sums: Sums },
): void {
  run.done.push(range.first);
  addSums(run.sums, sums);
  if (file === null) return;
  keep(file, run);
}

/** Replaces a file as a whole: a process that is stopped in between leaves the former one. */
export function keep(file: string, state: object): void {
  writeFileSync(`${file}.new`, JSON.stringify(state));
  renameSync(`${file}.new`, file);
}

/** The text of a file; null when there is none. */
export function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

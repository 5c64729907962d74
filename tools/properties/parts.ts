// Cuts a run of many histories into parts, and sums up their results. Parts are plain data: they cross processes and lie in a file, so that
// a run which was stopped goes on.
import { prove, RULES } from '@drover/core/testing';
import { keep, readIfThere, refuseOther } from '../sim/runs/state-file.ts';

export interface Asked {
  /** Histories for each property. */
  readonly runs: number;
  /** Rule whose properties alone are played; null: all. */
  readonly only: string | null;
}

/** Part of a run: some histories of one property. */
export interface Part {
  /** Place of the part in the whole run, counted from 0. */
  readonly index: number;
  /** The place of the property in `RULES`. */
  readonly rule: number;
  readonly runs: number;
  readonly seed: number;
}

/** The result of a part. */
export interface PartDone {
  readonly part: Part;
  /** Histories that were played, up to the first that breaks the rule. */
  readonly runs: number;
  /** Processor time that it took. */
  readonly cpuSeconds: number;
  /** Broken rule and how to play the history again; null if no rule is broken. */
  readonly report: string | null;
}

/** The results of all parts of one property. */
export interface RuleSum {
  runs: number;
  cpuSeconds: number;
  report: string | null;
}

/** A run as far as it has come. */
export interface RunState extends Asked {
  /** The seed of the run; the parts have seeds of their own (`partsOf`). */
  readonly seed: number;
  /** The revision of the policy that it plays. */
  readonly source: string;
  /** Wall clock that it took so far. */
  seconds: number;
  /** Indices of the parts that are over. */
  readonly done: number[];
  /** Sums by the place in `RULES`. */
  readonly sums: Record<number, RuleSum>;
}

/** Histories of one part: some seconds of work. */
const PART = 1_000;

/** The places in `RULES` of the properties that are asked for. */
export function rulesOf({ only }: Asked): readonly number[] {
  return [...RULES.keys()].filter((place) => only === null || RULES[place]?.letter === only);
}

/** Knuth's multiplier of 2^32 over the golden ratio: it carries neighbouring seeds far from each other. */
const SPREAD = 0x9e3779b1;

/** All parts of a run, property by property. No two of them draw from the same seed, nor from that of a run with the next seed. */
export function* partsOf(asked: Asked, seed: number): Generator<Part> {
  let index = 0;
  const first = Math.imul(seed, SPREAD);
  for (const rule of rulesOf(asked))
    for (let at = 0; at < asked.runs; at += PART) {
      yield { index, rule, runs: Math.min(PART, asked.runs - at), seed: (first + index) | 0 };
      index += 1;
    }
}

/** Plays the histories of a part against a function that decides. */
export function playPart(part: Part, decide: Parameters<typeof prove>[1]): PartDone {
  const rule = RULES[part.rule];
  if (rule === undefined) throw new Error(`There is no property ${part.rule}`);
  const before = process.cpuUsage();
  const { runs, report } = prove(rule, decide, { runs: part.runs, seed: part.seed, evenly: true });
  const { user, system } = process.cpuUsage(before);
  return { part, runs, cpuSeconds: (user + system) / 1_000_000, report };
}

/** A run that has just begun, or the one of the file if it is the same one. @throws when the file holds another run. */
export function openRun(
  file: string | null,
  asked: Asked & { readonly source: string },
  seed: { told: number | null; drawn: number },
): RunState {
  const text = file === null ? null : readIfThere(file);
  if (file === null || text === null)
    return { ...asked, seed: seed.told ?? seed.drawn, seconds: 0, done: [], sums: {} };
  const found = JSON.parse(text) as RunState;
  if (found.runs !== asked.runs || found.only !== asked.only || (seed.told ?? found.seed) !== found.seed) {
    const its = `--runs ${found.runs}${found.only === null ? '' : ` --only ${found.only}`} --seed=${found.seed}`;
    throw new Error(`"${file}" holds another run (${its}): repeat its options to go on with it, or name another file`);
  }
  refuseOther(file, { begunOn: found.source, source: asked.source });
  return found;
}

/** Adds the result of a part, and writes the file if there is one. */
export function notePart(run: RunState, file: string | null, { part, runs, cpuSeconds, report }: PartDone): void {
  const sum = (run.sums[part.rule] ??= { runs: 0, cpuSeconds: 0, report: null });
  sum.runs += runs;
  sum.cpuSeconds += cpuSeconds;
  sum.report ??= report;
  run.done.push(part.index);
  if (file !== null) keep(file, run);
}

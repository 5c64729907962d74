/**
 * The merge train: accepted work of one project that is built on one another, checked once and published together. The worker that has
 * the project's lease conducts it: its own work comes first, that of the members follows in order. What is known of the chain are runs
 * of the checks, by the files that they ran on, so that nothing runs twice because the default branch moved.
 *
 * A prefix of the chain is named by its length: 0 is the default branch alone, 1 also has the conductor's work.
 */
import type { Pin, TrainLink } from '../machine/commands.ts';

/** One whose accepted work comes along. */
export interface Member {
  /** The worker's id. */
  readonly id: string;
  readonly name: string;
  readonly pin: Pin;
  /** It is on another machine than the conductor. Trains of older builds lack this. */
  readonly elsewhere?: boolean;
}

/** How often the checks passed and failed on the same files. */
export interface Run {
  /** The tree; of the default branch alone its commit. */
  readonly files: string;
  /** Names the checks. */
  readonly checks: string;
  readonly passed: number;
  readonly failed: number;
  /** Of the last run that failed. */
  readonly command: string;
  readonly output: string;
}

/** A train on its way, in the row of its conductor. */
export interface Train {
  readonly conductor: { readonly id: string; readonly name: string };
  readonly members: readonly Member[];
  /** One for each member, in order; null: they are not built on the present candidate yet. */
  readonly links: readonly TrainLink[] | null;
  /** The prefix that is being checked or published; null: nothing is yet. */
  readonly at: number | null;
  /** The prefix whose last work is sent back once what comes before it is published; null: none. */
  readonly culprit: number | null;
}

/** A chain of which the next step is to be found. `files[k]` is what prefix k has. */
export interface Chain {
  readonly files: readonly string[];
  readonly checks: string;
  readonly runs: readonly Run[];
}

/** What comes next. */
export type Move =
  /** Run the checks on this prefix. */
  | { readonly kind: 'run'; readonly prefix: number }
  /** Publish this prefix, at least 1. */
  | { readonly kind: 'publish'; readonly prefix: number; readonly culprit: number | null }
  /** The first work itself breaks the checks, so there is nothing to publish. */
  | { readonly kind: 'blame' }
  /** The default branch alone fails the checks, and none of the work mends it: no member is to blame. */
  | { readonly kind: 'red' };

/** Runs that fail on the same files before anybody is blamed for it, or the default branch counts as broken. */
export const FAILURES_TO_BLAME = 2;

/** Runs that are remembered: more than one train needs. */
const RUNS_MAX = 24;

/** A train with these members, of which nothing is built yet. */
export function newTrain(conductor: Train['conductor'], members: readonly Member[]): Train {
  return { conductor, members, links: null, at: null, culprit: null };
}

/** What is to be done with a chain, by what is known of it. Always ends: each run makes one more prefix known, or one failure more. */
export function chooseMove(chain: Chain): Move {
  const tip = chain.files.length - 1;
  const known = chain.files.map((files) => verdictOf(chain, files));
  if (known[tip] === 'passed') return { kind: 'publish', prefix: tip, culprit: null };
  if (known[tip] === 'unknown') return { kind: 'run', prefix: tip };
  const green = known.lastIndexOf('passed');
  return green === -1 ? seekGreen(chain, known) : seekCulprit(chain, { known, green });
}

type Verdict = 'passed' | 'failed' | 'unknown';

/** The tip fails, and nothing is known to pass: first the default branch alone, and if that is broken the work that may mend it. */
function seekGreen(chain: Chain, known: readonly Verdict[]): Move {
  const [base = ''] = chain.files;
  if (failuresOn(chain, base) < FAILURES_TO_BLAME) return { kind: 'run', prefix: 0 };
  const prefix = known.indexOf('unknown');
  return prefix === -1 ? { kind: 'red' } : { kind: 'run', prefix };
}

/** G12: blamed is only who comes right after what passes, for more than one run that failed on the same files. */
function seekCulprit(
  chain: Chain,
  { known, green }: { readonly known: readonly Verdict[]; readonly green: number },
): Move {
  const red = known.indexOf('failed', green + 1);
  if (red - green > 1) return { kind: 'run', prefix: Math.floor((green + red) / 2) };
  if (failuresOn(chain, chain.files[red] ?? '') < FAILURES_TO_BLAME) return { kind: 'run', prefix: red };
  return green === 0 ? { kind: 'blame' } : { kind: 'publish', prefix: green, culprit: red };
}

function verdictOf(chain: Chain, files: string): Verdict {
  const run = runOn(chain, files);
  if (run === undefined) return 'unknown';
  return run.passed > 0 ? 'passed' : 'failed';
}

function failuresOn(chain: Chain, files: string): number {
  return runOn(chain, files)?.failed ?? 0;
}

/** What is known of these files under these checks. */
export function runOn({ runs, checks }: Pick<Chain, 'runs' | 'checks'>, files: string): Run | undefined {
  return runs.find((run) => run.files === files && run.checks === checks);
}

/** How a run ended is counted; the oldest files are forgotten. */
export function countRun(
  { runs, checks }: Pick<Chain, 'runs' | 'checks'>,
  files: string,
  ended: { readonly kind: 'passed' } | { readonly kind: 'failed'; readonly command: string; readonly output: string },
): readonly Run[] {
  const before = runOn({ runs, checks }, files) ?? { files, checks, passed: 0, failed: 0, command: '', output: '' };
  const now: Run =
    ended.kind === 'passed'
      ? { ...before, passed: before.passed + 1 }
      : { ...before, failed: before.failed + 1, command: ended.command, output: ended.output };
  return [...runs.filter((run) => run.files !== files || run.checks !== checks), now].slice(-RUNS_MAX);
}

/**
 * A machine on which the checks of accepted work run: the first of `repo.validate_on` that is connected, else that of the first work. A
 * run counts for the machine on which it ran, because another one may lack what the checks need.
 */
export interface CheckPlace {
  readonly machine: string;
  /** The machine of the worker that merges. */
  readonly here: string;
  /** For people: completes "its checks run on …: ". */
  readonly why: string;
}

/** Whether they run on another machine than that of the work. */
export function isAway(place: CheckPlace | null | undefined): place is CheckPlace {
  return place != null && place.machine !== place.here;
}

/** The name under which runs of these checks count. Empty: the project has none. */
export function checksAt(checks: string, place: CheckPlace | null | undefined): string {
  return checks === '' || place == null ? checks : `${checks} on ${place.machine}`;
}

/** The place where they ran, where the machine did not do as it was told; `why` is for people. */
export function stayHere(place: CheckPlace, why: string): CheckPlace {
  return { ...place, machine: place.here, why };
}

/** Which machine it is. `named` are those of the project in order, each with whether it is connected. */
export function chooseCheckPlace(
  here: string,
  named: readonly { readonly name: string; readonly isConnected: boolean }[],
): CheckPlace {
  if (named.length === 0) return { machine: here, here, why: 'the machine of the first work' };
  const first = named.findIndex(({ isConnected }) => isConnected);
  const silent = named.slice(0, first === -1 ? named.length : first).map(({ name }) => `"${name}"`);
  const lacking = silent.length === 0 ? '' : ` (not connected: ${silent.join(', ')})`;
  const found = named[first];
  if (found === undefined)
    return { machine: here, here, why: `the machine of the first work, as none of validate_on is connected${lacking}` };
  return { machine: found.name, here, why: `the first of validate_on that is connected${lacking}` };
}

/**
 * The merge train: accepted work of a project, each piece built on the one before, checked once and published together. The worker that has
 * the project's lease conducts it: its own work comes first, the members' work follows in order. The chain keeps its runs of the checks by the
 * files that they ran on, so that nothing runs twice because the default branch moved.
 *
 * A prefix of the chain is named by its length: 0 is the default branch alone, 1 also has the conductor's work.
 */
import { invariant } from '../invariant.ts';
import type { Pin, TrainLink } from '../machine/commands.ts';

/** A worker whose accepted work comes along. */
export interface Member {
  /** The worker's id. */
  readonly id: string;
  readonly name: string;
  readonly pin: Pin;
  /** True if its machine is not the conductor's. */
  readonly elsewhere?: boolean;
}

/** Counts of passed and failed checks on the same files. */
export interface Run {
  /** Tree of the run; for the default branch alone, its commit. */
  readonly files: string;
  /** Names the checks. */
  readonly checks: string;
  readonly passed: number;
  readonly failed: number;
  /** Command of the last run that failed. */
  readonly command: string;
  readonly output: string;
}

/** A member, and the commit of its work on that of the member before. */
export interface Linked extends Member {
  readonly link: TrainLink;
}

/** A train on its way, in the row of its conductor: its members, at least one, in order. */
export interface Train<M extends Member = Member> {
  readonly conductor: { readonly id: string; readonly name: string };
  readonly members: readonly M[];
}

/** A chain in search of its next step. `files[k]` are those of prefix k. */
export interface Chain {
  readonly files: readonly string[];
  readonly checks: string;
  readonly runs: readonly Run[];
}

/** The next step of a chain. */
export type Move =
  /** Run the checks on this prefix. */
  | { readonly kind: 'run'; readonly prefix: number }
  /** Publish this prefix, at least 1. */
  | { readonly kind: 'publish'; readonly prefix: number; readonly culprit: number | null }
  /** Blame: the first work itself breaks the checks, so there is nothing to publish. */
  | { readonly kind: 'blame' }
  /** Red: the default branch alone fails the checks, and none of the work mends it: no member is to blame. */
  | { readonly kind: 'red' };

/** Runs that fail on the same files before anybody is blamed for it, or the default branch counts as broken. */
export const FAILURES_TO_BLAME = 2;

/** Runs that are remembered: more than one train needs. */
const RUNS_MAX = 24;

/** Returns the same train with nothing built yet. */
export function unlinked({ conductor, members }: Train<Linked>): Train {
  const apart = members.map((linked): Member => {
    const { link: _, ...member } = linked;
    return member;
  });
  return { conductor, members: apart };
}

/** Picks the next step from the runs that are known. Always ends: each run adds a known prefix, or a failure. */
export function chooseMove(chain: Chain): Move {
  const known = chain.files.map((files, prefix) => whatIsKnown(chain, { files, prefix }));
  const tip = known.at(-1);
  invariant(tip !== undefined, 'A chain has at least the default branch');
  if (tip.verdict === 'passed') return { kind: 'publish', prefix: tip.prefix, culprit: null };
  if (tip.verdict === 'unknown') return { kind: 'run', prefix: tip.prefix };
  const green = known.findLast(({ verdict }) => verdict === 'passed');
  return green === undefined ? seekGreen(known) : seekCulprit(known, { green, tip });
}

/** Knowledge of a prefix. */
interface Known {
  readonly prefix: number;
  readonly verdict: 'passed' | 'failed' | 'unknown';
  readonly failures: number;
}

function whatIsKnown(chain: Chain, { files, prefix }: { readonly files: string; readonly prefix: number }): Known {
  const run = runOn(chain, files);
  if (run === undefined) return { prefix, verdict: 'unknown', failures: 0 };
  return { prefix, verdict: run.passed > 0 ? 'passed' : 'failed', failures: run.failed };
}

/** Seeks a prefix that passes, because the tip fails: first the default branch alone, and if that is broken the work that may mend it. */
function seekGreen(known: readonly Known[]): Move {
  const [base] = known;
  if (base === undefined || base.failures < FAILURES_TO_BLAME) return { kind: 'run', prefix: 0 };
  const unknown = known.find(({ verdict }) => verdict === 'unknown');
  return unknown === undefined ? { kind: 'red' } : { kind: 'run', prefix: unknown.prefix };
}

/** G12: blames only the work right after a passing prefix, for more than one run that failed on the same files. */
function seekCulprit(known: readonly Known[], { green, tip }: { readonly green: Known; readonly tip: Known }): Move {
  const red = known.find(({ prefix, verdict }) => prefix > green.prefix && verdict === 'failed') ?? tip;
  if (red.prefix - green.prefix > 1) return { kind: 'run', prefix: Math.floor((green.prefix + red.prefix) / 2) };
  if (red.failures < FAILURES_TO_BLAME) return { kind: 'run', prefix: red.prefix };
  if (green.prefix === 0) return { kind: 'blame' };
  return { kind: 'publish', prefix: green.prefix, culprit: red.prefix };
}

/** Finds the runs of these checks on these files. */
export function runOn({ runs, checks }: Pick<Chain, 'runs' | 'checks'>, files: string): Run | undefined {
  return runs.find((run) => run.files === files && run.checks === checks);
}

/** Counts a run; the oldest files are forgotten. */
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

/**
 * Steps on the way of committed work into the default branch: each holds only its own fields. README.md names the movers. Each step but
 * `none`, `waiting` and `aboard` is one command to the worker's machine, which is safe to repeat.
 */
import type { Pin, TrainLink } from '../machine/commands.ts';
import type { CheckPlace } from '../placement/check-place.ts';

/** An accept by a person: facts that each step of its merge has. */
export interface Accept {
  /** Work that the person has seen. Nothing else is merged. */
  readonly pin: Pin;
  /** True if the person knows that nothing would be merged, and wants the task to end all the same. */
  readonly nothing: boolean;
  /** Epoch milliseconds, by which the accept keeps its place among others. */
  readonly since: number;
  /** Runs of the checks that are known, also from trains that it was aboard of. */
  readonly runs: readonly Run[];
  /** Commit of the default branch that fails the checks by itself, and that people have been told of. */
  readonly red: string | null;
  /** Commit that may have been published without a report: if nothing is left to merge, Drover looks for it. */
  readonly maybe: string | null;
}

/** Accepted work that Drover put on a branch of its own at the remote: people merge it there. */
export interface Offer {
  /** Accepted commit, at which the branch is. */
  readonly head: string;
  readonly commit: string;
  readonly branch: string;
  /** Further facts for people, such as that no request was opened; empty: none. */
  readonly why: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Work that was sent back because the checks pass with the work before it in a train, and not with it. */
export interface SentBack {
  /** Check that failed. */
  readonly command: string;
  /** Names of the workers whose work came before. */
  readonly before: readonly string[];
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Worker whose train another is aboard of; the conductor itself has place 1. */
export interface Conductor {
  readonly id: string;
  readonly name: string;
  readonly place: number;
  readonly of: number;
}

/** A worker whose accepted work comes along. */
export interface Member {
  /** The worker's id. */
  readonly id: string;
  readonly name: string;
  readonly pin: Pin;
  /** True if its machine is not the conductor's. */
  readonly elsewhere?: boolean;
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

/** A commit that Drover made of the work on `base`. */
export interface Built {
  readonly base: string;
  readonly commit: string;
  readonly tree: string;
  /** Names the checks that would run on the commit, as they were last heard; empty: the project has none. */
  readonly checks: string;
}

/** A part of the check of work, before it waits for review or again while it waits. */
export type Doing =
  /** Makes the candidate of the work. */
  | { readonly kind: 'candidate' }
  /** Runs the checks of the project on the candidate. */
  | { readonly kind: 'checks'; readonly at: Pin }
  /** Runs the checks on the default branch alone before the agent hears of their failure on the work. */
  | {
      readonly kind: 'base';
      readonly base: string;
      /** Names the checks. */
      readonly checks: string;
      /** The failure on the work. */
      readonly failed: Failure;
    }
  /** Rebases the work in its worktree, because the candidate has conflicts; the agent resolves them. */
  | { readonly kind: 'rebase' };

/** A check that failed. */
export interface Failure {
  readonly command: string;
  readonly output: string;
}

/** Work that Drover checks. */
export interface Reviewing {
  readonly kind: 'reviewing';
  /** The commit that is checked. */
  readonly head: string;
  /** Number of restarts because another commit was there by then. */
  readonly again: number;
  readonly doing: Doing;
}

interface Accepted {
  readonly accept: Accept;
}

/** Accepted work that waits for the project's merge lease. */
export interface Waiting extends Accepted {
  readonly kind: 'waiting';
  /** The earliest time of its turn, epoch milliseconds: others are accepted with it, or the default branch is broken. */
  readonly notBefore: number | null;
}

/** Accepted work that comes along with that of another worker. */
export interface Aboard extends Accepted {
  readonly kind: 'aboard';
  readonly conductor: Conductor;
}

/** A worker that holds the project's merge lease. */
interface InTurn extends Accepted {
  /** Number of times that the default branch moved before the work was published. */
  readonly moved: number;
  /** Place of the checks. The choice stays while that machine is heard, so that known runs count. Null: not chosen yet. */
  readonly on: CheckPlace | null;
}

/** Makes the candidate of the worker's own work. */
export interface Building extends InTurn {
  readonly kind: 'building';
  /** Workers that come along; null: nobody does. */
  readonly train: Train | null;
}

/** Builds the members' work on the worker's own. */
export interface Extending extends InTurn {
  readonly kind: 'extending';
  readonly own: Built;
  readonly train: Train;
}

/** Holds the worker's built work, and the work of the members on top of it. */
export interface Chained extends InTurn {
  readonly own: Built;
  readonly train: Train<Linked> | null;
}

/** Runs the checks on a prefix of the train. */
export interface Checking extends Chained {
  readonly kind: 'checking';
  readonly prefix: number;
  readonly tip: Pin;
}

/** Moves the default branch to a prefix of the train, which has passed. */
export interface Publishing extends Chained {
  readonly kind: 'publishing';
  readonly prefix: number;
  readonly tip: Pin;
  /** Member that breaks the checks after that, which is sent back once this is published; null: none does. */
  readonly culprit: ({ readonly prefix: number } & Failure) | null;
}

/** Asks git whether the default branch contains the published commit. */
export interface Proving extends Accepted {
  readonly kind: 'proving';
  readonly commit: string;
}

/** The work in the default branch. */
export interface Done {
  /** `by-people`: people merged the branch that Drover made. `nothing`: the default branch had all of it before. */
  readonly how: 'published' | 'by-people' | 'nothing';
  readonly commit: string;
}

export interface Closing extends Accepted {
  readonly kind: 'closing';
  readonly done: Done;
}

export interface Recycling extends Accepted {
  readonly kind: 'recycling';
  readonly done: Done;
}

/** Steps of a merge in which the worker's machine is given commands. */
export type Commanded = Building | Extending | Checking | Publishing | Proving | Closing | Recycling;

/** Steps of a merge. */
export type Accepting = Waiting | Aboard | Commanded;

/** Steps of the work on its way into the default branch. */
export type MergeStep = { readonly kind: 'none' } | Reviewing | Accepting;

/** The name of a step. */
export type MergeStepKind = MergeStep['kind'];

/** Tells whether a person has accepted the work and its merge has not ended. */
export function isAccepting(at: MergeStep): at is Accepting {
  return at.kind !== 'none' && at.kind !== 'reviewing';
}

/** Returns the accept that is under way; null: none is. */
export function acceptOf(at: MergeStep): Accept | null {
  return isAccepting(at) ? at.accept : null;
}

/** Tells whether the worker's own machine carries out the merge. */
export function isCommanded(at: MergeStep): at is Commanded {
  return isAccepting(at) && at.kind !== 'waiting' && at.kind !== 'aboard';
}

/** Tells whether the step is between the project's merge lease and the default branch: at most one worker of a project is. */
export function needsLease(at: MergeStep): at is Building | Extending | Checking | Publishing {
  return at.kind === 'building' || at.kind === 'extending' || at.kind === 'checking' || at.kind === 'publishing';
}

/** Returns the train that this worker conducts; null: none. */
export function trainOf(at: MergeStep): Train | null {
  return needsLease(at) ? at.train : null;
}

/** Returns the members of the train that this worker conducts, in order. */
export function membersOf(at: MergeStep): readonly Member[] {
  return trainOf(at)?.members ?? [];
}

/** Known runs, of which those of these checks count. */
export interface Ran {
  readonly runs: readonly Run[];
  /** Names the checks. */
  readonly checks: string;
}

/** Finds the runs of these checks on these files. */
export function runOn({ runs, checks }: Ran, files: string): Run | undefined {
  return runs.find((run) => run.files === files && run.checks === checks);
}

/** Counts a run; the oldest files are forgotten. */
export function countRun(
  { runs, checks }: Ran,
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

/** Runs that are remembered: more than one train needs. */
const RUNS_MAX = 24;

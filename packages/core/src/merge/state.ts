/**
 * The slice `merge`: the way of committed work into the default branch. First Drover checks it, then it waits for a person, then it is merged.
 * No step touches the agent's worktree: the checked and merged commit is the candidate, one commit on the newest default branch that the
 * machine makes of the worker's HEAD. `step` says where the work stands; the other fields are known in every step.
 */
import type { Pin, Success, Verdict } from '../machine/commands.ts';
import { keep } from '../worker/slice.ts';
import type { Slice } from '../worker/slice.ts';
import { isAccepting, isCommanded } from './step.ts';
import type { Accept, Doing, MergeStep, Offer, Reviewing, SentBack, Waiting } from './step.ts';

/** Candidate that the machine made of the worker's HEAD on the newest default branch. */
export type Candidate = Exclude<Success<'candidate'>, { kind: 'changed' }>;

/** End of the project's checks on a candidate. */
export interface Checks {
  /** The candidate's commit and tree. */
  readonly head: string;
  readonly tree: string;
  /** Names the commands that ran; empty: the project has none. */
  readonly checks: string;
  /** End of the checks, epoch milliseconds. */
  readonly at: number;
  readonly outcome:
    | { readonly kind: 'passed' }
    | { readonly kind: 'failed'; readonly command: string; readonly output: string };
}

/** End of the checks on the default branch alone. */
export interface BaseRun {
  readonly base: string;
  /** Names the checks. */
  readonly checks: string;
  /** Check that failed; null: all passed. */
  readonly failed: string | null;
}

/** Conflicts that keep coming back. */
export interface ConflictCount {
  /** Files, by which conflicts are told apart. */
  readonly key: string;
  readonly times: number;
  /**
   * Commit that was being put on `onto`, and to which the branch comes back when the rebase is given up; empty: not known. `beyond` is left
   * behind.
   */
  readonly orig: string;
  readonly onto: string;
  readonly beyond?: string | undefined;
  /** True while the agent has the conflicts in hand: git has not judged yet that they are over. */
  readonly open: boolean;
  /** Verdicts that the agent was told of already. */
  readonly told: readonly Verdict[];
}

/** The way of the work into the default branch. */
export interface Merge {
  readonly step: MergeStep;
  /** Absent: nothing was handed over. */
  readonly offer?: Offer;
  /** Accept of this head that ended and left open whether its commit was published. Absent: none. */
  readonly perhaps?: { readonly head: string; readonly commit: string };
  readonly candidate: Candidate | null;
  readonly checks: Checks | null;
  /** Absent: nothing is known of the default branch alone. */
  readonly baseRun?: BaseRun;
  /** Summary of the work: the words of the worker's note once the work waits for review. */
  readonly why: string;
  /** Notes for the reviewer beside the diff. */
  readonly notes: readonly string[];
  /** True if the work is to be put on the newest default branch in its worktree: a person asked, or a text goes to its agent next. */
  readonly rebaseDue: boolean;
  /** True if git is to be asked how the conflicts were ended. */
  readonly resolutionDue: boolean;
  readonly conflicts: ConflictCount | null;
  /** Return of the work, until it is accepted again, or the task is over. */
  readonly sentBack: SentBack | null;
  /** Conflicts of this commit with this base that the agent gave up to resolve: it is not asked again until either moves. */
  readonly gaveUp: { readonly head: string; readonly base: string } | null;
  /** True if a step of Drover's own with the finished work failed, and a person was asked. Absent: none did. */
  readonly stopped?: true;
}

const NONE: MergeStep = { kind: 'none' };

const NOTHING: Merge = {
  step: NONE,
  candidate: null,
  checks: null,
  why: '',
  notes: [],
  rebaseDue: false,
  resolutionDue: false,
  conflicts: null,
  sentBack: null,
  gaveUp: null,
};

/** Slice of a merge, with nothing to merge at first. */
export const MERGE = {
  initial: NOTHING,
  on: {
    'task-begun': (): Merge => NOTHING,
    'task-ended': (): Merge => NOTHING,
    'session-opened': keep,
    'session-lost': keep,
    'worktree-lost': keep,
    // A restored worktree holds no resolution of any conflict.
    'restore-begun': (merge: Merge): Merge => closeConflicts(dropReview(merge)),
    'budget-renewed': keep,
    'person-resumed': dropReview,
    // A merge that has begun goes to its end.
    'given-up': (merge: Merge): Merge => (isMerging(merge) ? merge : stopReview(endAccept(merge))),
  },
} satisfies Slice<Merge>;

/** Accepts the work that a person has seen. */
export function acceptPin(
  merge: Merge,
  pin: Pin,
  { since, nothing, notBefore }: Pick<Accept, 'since' | 'nothing'> & Pick<Waiting, 'notBefore'>,
): Merge {
  const { perhaps, ...known } = dropReview(merge);
  const maybe = perhaps?.head === pin.head ? perhaps.commit : null;
  const accept: Accept = { pin, nothing, since, runs: [], red: null, maybe };
  return { ...known, step: { kind: 'waiting', accept, notBefore }, sentBack: null };
}

/** Moves the work on to a step. */
export function goTo(merge: Merge, step: MergeStep): Merge {
  return { ...merge, step };
}

/** Changes facts of the accept that is under way, and not its step. */
export function changeAccept(merge: Merge, change: (accept: Accept) => Partial<Accept>): Merge {
  const { step } = merge;
  return isAccepting(step) ? goTo(merge, { ...step, accept: { ...step.accept, ...change(step.accept) } }) : merge;
}

/** Sets facts of the work that are known in every step. */
export function setFacts(
  merge: Merge,
  facts: Partial<
    Pick<Merge, 'offer' | 'candidate' | 'checks' | 'baseRun' | 'why' | 'notes' | 'rebaseDue' | 'resolutionDue'>
  >,
): Merge {
  return { ...merge, ...facts };
}

/** Returns the offer of this very commit, if there is one: later commits of the agent are not in it. */
export function offerOf({ offer }: Merge, head: string | null): Offer | null {
  return offer !== undefined && offer.head === head ? offer : null;
}

export function endAccept(merge: Merge): Merge {
  const { step } = merge;
  if (!isAccepting(step)) return merge;
  const { pin, maybe } = step.accept;
  return { ...merge, step: NONE, ...(maybe !== null && { perhaps: { head: pin.head, commit: maybe } }) };
}

/** Begins to check work. Steps under way for the same commit go on, and so does a merge, which makes its own candidate. */
export function beginReview(merge: Merge, head: string): Merge {
  const { step } = merge;
  if (isAccepting(step)) return merge;
  if (step.kind === 'none') return goTo(merge, { kind: 'reviewing', head, again: 0, doing: { kind: 'candidate' } });
  return step.head === head ? merge : goTo(merge, { ...step, head, doing: { kind: 'candidate' } });
}

/** Moves the check of the work on to a part. */
export function doNext(merge: Merge, doing: Doing): Merge {
  return merge.step.kind === 'reviewing' ? goTo(merge, { ...merge.step, doing }) : merge;
}

/** Begins the check again at the present commit, which is another one, and counts that. */
export function beginReviewAgain(merge: Merge, { again }: Reviewing, head: string): Merge {
  return goTo(merge, { kind: 'reviewing', head, again: again + 1, doing: { kind: 'candidate' } });
}

/** Stops checking and moving the work: it is done, or the agent goes on with it. */
export function dropReview(merge: Merge): Merge {
  const { stopped: _, ...others } = merge;
  const step = merge.step.kind === 'reviewing' ? NONE : merge.step;
  return { ...others, step, rebaseDue: false, resolutionDue: false };
}

/** Marks the failed step: a retry repeats that step alone, and not the turn of the agent. */
function stopReview(merge: Merge): Merge {
  const dropped = dropReview(merge);
  return merge.step.kind === 'reviewing' || merge.resolutionDue ? { ...dropped, stopped: true } : dropped;
}

/** Sets the name of the checks that would run on the candidate now. */
export function nameChecks(merge: Merge, checks: string): Merge {
  const { candidate } = merge;
  return candidate?.kind === 'candidate' ? { ...merge, candidate: { ...candidate, checks } } : merge;
}

/** Returns the end of these checks on this default branch alone; null: not known. */
export function baseRunOf({ baseRun }: Merge, { base, checks }: Pick<BaseRun, 'base' | 'checks'>): BaseRun | null {
  return baseRun?.base === base && baseRun.checks === checks ? baseRun : null;
}

/** Returns the end of these checks, as the project has them now, on exactly these files; null: not known. */
export function outcomeOn(
  { checks }: Merge,
  { tree, checks: named }: { tree: string; checks: string },
): Checks['outcome']['kind'] | null {
  return checks?.tree === tree && checks.checks === named ? checks.outcome.kind : null;
}

/** Tells whether these checks, as the project has them now, have passed on exactly these files. */
export function hasPassed(merge: Merge, files: { tree: string; checks: string }): boolean {
  return outcomeOn(merge, files) === 'passed';
}

/** Counts the files of a rebase that left conflicts; nothing is checked or accepted any more. */
export function countConflicts(merge: Merge, found: Pick<ConflictCount, 'key' | 'orig' | 'onto' | 'beyond'>): Merge {
  const counted = { ...found, times: timesOfConflict(merge, found.key), open: true, told: [] };
  return { ...dropReview(endAccept(merge)), step: NONE, conflicts: counted };
}

/** Counts how often these conflicts have come, this time included. */
export function timesOfConflict({ conflicts }: Merge, key: string): number {
  return conflicts?.key === key ? conflicts.times + 1 : 1;
}

/** Closes the conflicts: git has judged them, or another commit is there. */
export function closeConflicts(merge: Merge): Merge {
  return merge.conflicts === null ? merge : { ...merge, conflicts: { ...merge.conflicts, open: false } };
}

/** Counts the times that the agent was told of this. */
export function timesTold({ conflicts }: Merge, what: Verdict): number {
  return conflicts === null ? 0 : conflicts.told.filter((told) => told === what).length;
}

/** Conflicts of a rebase that the agent began by itself: nobody has counted them, nor named its commits. */
const OF_ITS_AGENT: ConflictCount = { key: '', times: 1, orig: '', onto: '', open: true, told: [] };

/** Returns the conflicts whose end git judges. */
export function judgedConflicts({ conflicts }: Merge): ConflictCount {
  return conflicts ?? OF_ITS_AGENT;
}

/** Marks that the agent was told of this. */
export function markTold(merge: Merge, what: Verdict): Merge {
  const conflicts = judgedConflicts(merge);
  return { ...merge, conflicts: { ...conflicts, told: [...conflicts.told, what] } };
}

/** Records that the agent gave the rebase up. */
export function giveUpRebase(merge: Merge): Merge {
  const { conflicts } = merge;
  return conflicts === null ? merge : { ...merge, gaveUp: { head: conflicts.orig, base: conflicts.onto } };
}

/** Retries at a person's request: rebases work that was given up, and checks work that failed. */
export function forgetGivenUp(merge: Merge): Merge {
  const { baseRun: _, ...others } = merge;
  return { ...others, gaveUp: null };
}

/** Records that the train goes without the work. */
export function sendBack(merge: Merge, sentBack: SentBack): Merge {
  return { ...endAccept(merge), sentBack };
}

/** Tells whether the agent has given up the conflicts of this commit with this base. */
export function isGivenUp({ gaveUp }: Merge, { head, base }: { head: string; base: string }): boolean {
  return gaveUp?.head === head && gaveUp.base === base;
}

/** Tells whether a merge has begun: a merge goes to its end. */
export function isMerging({ step }: Merge): boolean {
  return step.kind === 'aboard' || isCommanded(step);
}

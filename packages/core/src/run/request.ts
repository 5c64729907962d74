/** Requests of a run to the world. Each has an id, and is carried out once; its outcome comes back as an event with that id. */
import type { BudgetSpent } from './allowance.ts';
import type { Part } from './result.ts';
import type { RunItem } from './task.ts';

/** Workers that may do the work. */
export interface PlaceWish {
  readonly role: string;
  /** Name of an agent profile; null: any. */
  readonly profile: string | null;
  /** Profiles that do not fit. */
  readonly notProfiles: readonly string[];
  /** Ids of workers that do not fit: authors of the work under review. */
  readonly notWorkers: readonly string[];
  /** Ids of workers that get the work only if there is no other. */
  readonly notYet: readonly string[];
}

/** A question of the run to a person. */
export interface RunQuestion {
  /** Unique within the run. */
  readonly id: string;
  readonly about: QuestionAbout;
  /** Name of the stage or item. */
  readonly item: string;
  readonly text: string;
  readonly options: readonly RunOption[];
  /** Commit to which the answer is bound; null: none. */
  readonly commit: string | null;
  /** Plan to start or edit; null: none. */
  readonly parts: readonly Part[] | null;
  /** Report to which the answer is a yes; empty: none. */
  readonly report: string;
  /** Role that a person needs for the answer. */
  readonly who: string;
  /** Budget of `drover.toml` that the answer lets the run go beyond; absent: none. */
  readonly spent?: BudgetSpent;
}

/**
 * `gate`: a gate of the flow; `accept`: the merge; `declined`: a blocker that its author declines; `lost`: an item that failed for good, or that a
 * person took away; `hold`: three items failed alike; `over-budget`: a stage whose budget is spent; `budget`: a budget
 * of `drover.toml` is spent; `agent`: the agent of a task asks.
 */
export type QuestionAbout = 'agent' | 'gate' | 'accept' | 'declined' | 'lost' | 'hold' | 'over-budget' | 'budget';

export interface RunOption {
  readonly option: RunOptionName;
  /** Effect of the option, for people. */
  readonly text: string;
}

export type RunOptionName =
  | 'start'
  | 'edit'
  | 'revise'
  | 'stop'
  | 'accept'
  | 'author'
  | 'reviewer'
  | 'again'
  | 'without'
  | 'go-on'
  | 'use'
  | 'reply'
  | 'raise'
  | 'today';

/** A commit of the run in a depot. */
export interface PinnedCommit {
  /** Item that gave the commit. */
  readonly item: string;
  readonly commit: string;
  /** Worker that wrote it, on whose machine it was pinned first; null: a join. */
  readonly workerId: string | null;
}

/** Commits to build into one candidate, in this order. */
export interface Join {
  readonly base: string;
  readonly commits: readonly PinnedCommit[];
}

/** Request of a run, without its id. */
export type RunWish =
  /** Choose a worker, put it on the commit, and give it the text. Outcome: `placed` or `not-placed`. */
  | {
      readonly kind: 'start';
      readonly item: RunItem;
      readonly wish: PlaceWish;
      /** Commit to begin on. */
      readonly from: string;
      /** Other commits that the worker's clone must have. */
      readonly also: readonly string[];
      readonly text: string;
    }
  /** The next turn of the worker that holds the item. Outcome: `placed` or `not-placed` (`gone`). */
  | { readonly kind: 'send'; readonly item: RunItem; readonly workerId: string; readonly text: string }
  /** A notice at the next boundary; no outcome. `from`: the person whose words it brings; null: the run itself. */
  | {
      readonly kind: 'tell';
      readonly workerId: string;
      readonly item: RunItem;
      readonly text: string;
      readonly from: string | null;
    }
  /** Interrupt the turn, then one turn with this text, for the same attempt. Outcome: the end of the task. */
  | { readonly kind: 'hand-back'; readonly workerId: string; readonly item: RunItem; readonly text: string }
  /**
   * Keep a commit in the depot until the run's work is merged or dropped. `commit` null: end the turn, commit what is there, and pin that.
   * Outcome: `pinned` or `not-pinned`.
   */
  | { readonly kind: 'pin'; readonly item: string; readonly workerId: string; readonly commit: string | null }
  /** Free the worker for other work: its turn ends, its place goes back to the base. Outcome: `released`. */
  | { readonly kind: 'release'; readonly item: string; readonly workerId: string }
  /** Runs commands on a commit. Outcome: `checked`. */
  | {
      readonly kind: 'check';
      readonly item: string;
      readonly commit: PinnedCommit;
      readonly commands: readonly string[];
      /** Commits of which a join is made: a failure is halved for blame among them. Null: no join. */
      readonly join: Join | null;
    }
  /** Outcome: `joined` or `conflict`. */
  | ({ readonly kind: 'join'; readonly item: string } & Join)
  /** Merge the commit as `drover accept` does, in the name of the person. Outcome: `accepted` or `not-accepted`. */
  | { readonly kind: 'accept'; readonly item: string; readonly commit: PinnedCommit; readonly by: string }
  /** Let go of all its commits at a time: its work is merged, or it has been over for long. Outcome: `forgotten`. */
  | { readonly kind: 'forget'; readonly at: number }
  | { readonly kind: 'ask'; readonly question: RunQuestion }
  /** Close a question that has nothing left to answer. */
  | { readonly kind: 'withdraw'; readonly question: string };

/** A request with its id, which is unique for ever. */
export type RunRequest = RunWish & { readonly id: string };

/** The state of a run: the row that a coordinator loads, decides on and saves. It survives JSON unchanged. Times are epoch milliseconds. */
import type { ErrorCode } from '../taxonomy/codes.ts';
import type { RunBudgets } from './allowance.ts';
import type { Flow } from './flow.ts';
import type { RunQuestion } from './request.ts';
import type { Finding, FindingAnswer, Part, Returns, TaskResult } from './result.ts';
import type { Usage } from './usage.ts';

/** Terms of a run, which never change (W6). */
export interface RunTerms {
  readonly id: string;
  readonly flow: Flow;
  readonly inputs: Readonly<Record<string, string>>;
  readonly base: { readonly commit: string; readonly tree: string };
  /** Name of the person who started it. */
  readonly by: string;
  readonly startedAt: number;
  /** The run that this one tries again; null: none. */
  readonly retryOf: string | null;
  /** Stages that the person left out of a retry. */
  readonly skip: readonly string[];
  /** Ids of workers that get work only if there is no other: the former run failed on them. Absent: none. */
  readonly notYet?: readonly string[];
  /** Messages between the agents of the former run, which the new ones are told; absent: none. */
  readonly heard?: readonly FormerMessage[];
  /** Passed items of the former run, adopted where the fingerprint is equal. */
  readonly adopts: readonly Adoptable[];
}

export interface FormerMessage {
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

/** A passed item of a former run. */
export interface Adoptable {
  readonly item: string;
  readonly fingerprint: string;
  readonly output: Output;
  readonly authors: readonly Author[];
}

export interface Author {
  readonly workerId: string;
  readonly profile: string;
}

/** Outcome of a passed item, for later stages. */
export interface Output {
  readonly summary: string;
  readonly report: string;
  readonly parts: readonly Part[];
  readonly commit: string | null;
  readonly tree: string | null;
  /** End of the output of its checks. */
  readonly checkOutput: string;
}

export type RunStatus = 'running' | 'waiting' | 'paused' | 'stopping' | 'finished' | 'partial' | 'failed' | 'stopped';

/** Status of a stage or an item, for people. */
export type ItemStatus =
  | 'waiting'
  | 'running'
  | 'checking'
  | 'passed'
  | 'partial'
  | 'over-budget'
  | 'failed'
  | 'skipped';

/** End of an item or a stage. */
export type Settled = Exclude<ItemStatus, 'waiting' | 'running' | 'checking'>;

/** Reason for which an item waits. `turn`: for its place in the order; `check`: for a place where its checks can run. */
export type WaitsFor = 'turn' | 'check' | 'worker' | 'account' | 'machine' | 'budget' | 'person';

/** Next step once the commit of an item is pinned. */
export type AfterPin =
  | { readonly kind: 'judge' }
  | { readonly kind: 'fail'; readonly code: ErrorCode; readonly problem: string; readonly isFree: boolean }
  | { readonly kind: 'over-budget' }
  /** A budget of `drover.toml` is spent. `isLate`: the agent did not end the turn that hands back, or failed in it. */
  | { readonly kind: 'await-budget'; readonly isLate: boolean }
  /** The agent cannot go on before a person has answered its question. */
  | { readonly kind: 'await-answer'; readonly problem: string }
  | { readonly kind: 'taken-away'; readonly by: string }
  | { readonly kind: 'stop' };

/** Place of work that does not come to the machine of the run. */
export interface Left {
  /** Name of the machine. */
  readonly on: string;
  /** Commit that it keeps for the run; null: it is away, and could not be asked. */
  readonly commit: string | null;
}

/** Present step of an item. `request`: the id of the outstanding request. */
export type Progress =
  | {
      readonly kind: 'waiting';
      readonly on: WaitsFor;
      readonly why: string;
      /** Null: until an event. */ readonly retryAt: number | null;
      readonly account: string | null;
    }
  /** `isStale`: budgets have changed since it was ordered, so that a refusal for want of budget counts for nothing. */
  | { readonly kind: 'placing'; readonly request: string; readonly isStale?: true }
  | {
      readonly kind: 'running';
      readonly since: number;
      /** Until then the agent may hand back; null: no budget is spent. */ readonly handBackUntil: number | null;
      /** True while its machine is away: its agent may be at work there. */ readonly isAway: boolean;
      /** Time at which another worker gets the item, if its machine is still away; absent: the run waits for the machine. */
      readonly givenUpAt?: number;
      /** Words on which its worker waits for a person; absent: it waits for none. */ readonly asks?: string;
      /** True once its agent was told that little is left of a budget of `drover.toml`. */ readonly isNear?: boolean;
    }
  | {
      readonly kind: 'pinning';
      readonly request: string;
      /** Null: what is there, once the turn has ended. */
      readonly commit: string | null;
      readonly next: AfterPin;
      /** Time of the next attempt to pin it; null: one is under way. */
      readonly retryAt: number | null;
      readonly tries: number;
      /** True while its machine is away, and no time is counted; absent: it is there. */ readonly isAway?: boolean;
    }
  | { readonly kind: 'checking'; readonly request: string }
  | { readonly kind: 'joining'; readonly request: string }
  /** `by`: person who said yes. `lost`: answers of the machine that were lost; whether it merged is not known then. */
  | { readonly kind: 'accepting'; readonly request: string; readonly by: string; readonly lost: number }
  | {
      readonly kind: 'settled';
      readonly as: Settled;
      readonly why: string;
      /** Work that the end of the run leaves on another machine, and its worker; absent: none. */
      readonly left?: Left & { readonly worker: string };
    };

export interface ItemWorker extends Author {
  readonly name: string;
  readonly account: string | null;
}

/** Failure of an attempt. */
export interface ItemFailure {
  readonly code: ErrorCode;
  readonly problem: string;
}

/** Unit of work: a stage, or a part of one. */
export interface Item {
  /** Name of the stage, or `stage/3` for the third part. */
  readonly name: string;
  readonly returns: Returns;
  readonly progress: Progress;
  /** Number of the present attempt; 0: none was begun. */
  readonly attempt: number;
  /** Attempts that count against `tries`. */
  readonly triesSpent: number;
  /** Attempts that cost nothing, such as those on a machine that was lost. */
  readonly freeTries: number;
  /** Tries to place in a row that found no worker. */
  readonly placeTries: number;
  /** Tries since it was placed last for which nobody could ever do it, or to whose machine no commit could be carried. */
  readonly routingTries: number;
  /** True if any profile will do, after no worker of the wished one was found. */
  readonly isProfileOpen: boolean;
  /** The worker that has, or holds, the item; null: none. */
  readonly worker: ItemWorker | null;
  /** Everybody who wrote a part of the commit. */
  readonly authors: readonly Author[];
  /** Workers on which an attempt failed, or to which its commits could not be carried. */
  readonly failedOn: readonly string[];
  readonly failures: readonly ItemFailure[];
  /** Part of an `each`; null: no part. */
  readonly part: Part | null;
  /** Commit on which the next attempt begins. */
  readonly from: string | null;
  /** Pinned commit and result of the newest attempt; the output once the item has passed. */
  readonly output: Output;
  readonly result: TaskResult | null;
  /** Words for the next attempt, such as findings or the output of a check; empty: the task itself. */
  readonly words: string;
  readonly fingerprint: string;
  /** Work that its machine keeps until a person has let the machine of the run in again; null or absent: none. */
  readonly unkept?: (Left & { readonly next: AfterPin }) | null;
  /** True if the item was taken from the run that this one tries again. */
  readonly isAdopted: boolean;
  /** Usage by number of the attempt and begin of the count. */
  readonly usage: Readonly<Record<string, Usage>>;
}

/** A round of a review. */
export interface Round {
  readonly commit: string;
  readonly tree: string | null;
  readonly reviewer: Author | null;
  readonly findings: readonly Finding[];
  /** The author's answers; empty: not yet. */
  readonly answers: readonly FindingAnswer[];
}

/** Clock of a stage or a run, which stands while everything waits for people or accounts. */
export interface RunClock {
  readonly usedMs: number;
  readonly runsSince: number | null;
  /** Share of the budget that its workers were told of. */
  readonly told: 'nothing' | 'near' | 'spent';
}

export interface StageState {
  readonly name: string;
  readonly items: readonly Item[];
  readonly settled: { readonly as: Settled; readonly why: string; readonly code: ErrorCode | null } | null;
  /** True if the stage has begun. */
  readonly isBegun: boolean;
  readonly clock: RunClock;
  /** Rounds of a review; empty for other kinds. */
  readonly rounds: readonly Round[];
  /** Failures alike that a person has allowed to go on. */
  readonly heldFor: { readonly code: ErrorCode; readonly isAllowed: boolean } | null;
}

/** Names of the deadlines of a run. */
export type RunDeadlineName = 'budget' | 'hand-back' | 'retry' | 'ramp' | 'remind';

export interface Run {
  readonly terms: RunTerms;
  readonly status: RunStatus;
  /** For people: why the run has its status. */
  readonly why: string;
  /** End of the run once every worker is free; null: it goes on. */
  readonly ending: {
    readonly as: 'finished' | 'partial' | 'failed' | 'stopped';
    readonly why: string;
    readonly code: ErrorCode | null;
    /** Time at which a person said stop; absent: nobody has. */
    readonly stoppedAt?: number;
  } | null;
  /** Person who paused it, and since when; null: not paused. */
  readonly paused: { readonly by: string; readonly since: number } | null;
  readonly stages: readonly StageState[];
  readonly clock: RunClock;
  readonly questions: readonly RunQuestion[];
  /** Leave that people gave this run beyond budgets of `drover.toml`; absent: nothing. */
  readonly budgets?: RunBudgets;
  /** Limited accounts, with the end of their limits; null: not known. */
  readonly limited: Readonly<Record<string, number | null>>;
  /** Starts allowed after a limit until `nextAt`; null: any number. */
  readonly ramp: { readonly left: number; readonly size: number; readonly nextAt: number } | null;
  /** True while the machine with the commits of the run is away, and work that needs it waits; absent: it is there. */
  readonly isHomeAway?: boolean;
  /** Requests to free workers whose outcome is not known. */
  readonly releasing: readonly { readonly request: string; readonly workerId: string }[];
  /** Commit that each person looked at last, by the id of the token; absent: nobody has looked. */
  readonly reviewed?: Readonly<Record<string, string>>;
  /** Commit that was merged; null: none. */
  readonly merged: string | null;
  /** True until the first work of a retry is in a worker's hands. */
  readonly isRecovering: boolean;
  /** Number of requests so far: the next id. */
  readonly requests: number;
  /** Number of events so far: a checkpoint of the run is such a number. */
  readonly seq: number;
  readonly deadlines: Readonly<Partial<Record<RunDeadlineName, number>>>;
}

export const RUN_DEADLINES: readonly RunDeadlineName[] = ['budget', 'hand-back', 'retry', 'ramp', 'remind'];

/** Tells whether nothing follows any more. */
export function isOver({ status }: Pick<Run, 'status'>): boolean {
  return status === 'finished' || status === 'partial' || status === 'failed' || status === 'stopped';
}

/** Returns the status of an item for people. */
export function statusOfItem({ progress }: Pick<Item, 'progress'>): ItemStatus {
  switch (progress.kind) {
    case 'waiting':
    case 'placing':
      return 'waiting';
    case 'running':
    case 'pinning':
      return 'running';
    case 'checking':
      return 'checking';
    case 'joining':
    case 'accepting':
      return 'running';
    case 'settled':
      return progress.as;
  }
}

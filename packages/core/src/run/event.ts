/** Events of a run: what workers, coordinators, people and clocks tell it. An event told twice, or too late, changes nothing. */
import type { BudgetSpent, BudgetUse } from './allowance.ts';
import type { Part } from './result.ts';
import type { Left, RunDeadlineName } from './run.ts';
import type { TaskEnded } from './task.ts';
import type { Usage } from './usage.ts';

/** Outcome of a placement that found no worker. */
export interface NotPlaced {
  readonly kind: 'not-placed';
  readonly request: string;
  /**
   * `busy`: every worker that fits is at work, or being made; `account`: only limited accounts fit; `machine`: only machines that are away, or closed by a person, fit;
   * `gone`: the worker that held the item no longer does; `never`: no worker can ever do it, or a commit cannot be carried there; `no-commits`: the
   * machine with the commits of the run was revoked or removed.
   */
  readonly why: 'busy' | 'account' | 'machine' | 'gone' | 'never' | 'no-commits';
  /** Ids of workers to whose machine the commits could not be carried; absent: none was tried. */
  readonly unreached?: readonly string[];
  /** Account whose limit is waited for, and the end of the wait, if known. */
  readonly account: string | null;
  readonly until: number | null;
  /** For people, without a dot at its end. */
  readonly text: string;
}

/** Outcome of a request, by the request's id. */
export type RunOutcome =
  /** The worker has the text: by a start, or by a send to the worker that holds the item. */
  | {
      readonly kind: 'placed';
      readonly request: string;
      readonly item: string;
      readonly attempt: number;
      readonly workerId: string;
      readonly name: string;
      readonly profile: string;
      readonly account: string | null;
      /** Facts about the worker at the time when the run hears this, as `machine-changed` and `worker-asks` tell them. */
      readonly isAway?: boolean;
      readonly isWithCommits?: boolean;
      readonly isGone?: boolean;
      readonly asks?: string | null;
    }
  | NotPlaced
  /** A budget of `drover.toml` is spent. */
  | {
      readonly kind: 'not-placed';
      readonly request: string;
      readonly why: 'budget';
      readonly spent: BudgetSpent;
      readonly text: string;
    }
  /** `commit`: null if the worker had nothing to pin. */
  | { readonly kind: 'pinned'; readonly request: string; readonly commit: string | null; readonly tree: string | null }
  | {
      readonly kind: 'not-pinned';
      readonly request: string;
      readonly text: string;
      /** Ids of workers on the machine from which the commit could not be carried; absent: it had not to be carried. */
      readonly unreached?: readonly string[];
      /** Place where the work stays, since no further try helps by itself; absent: it is tried again. */
      readonly left?: Left;
    }
  | {
      readonly kind: 'checked';
      readonly request: string;
      /** `cannot-run`: no place for the checks; nobody's fault. */
      readonly how: 'passed' | 'failed' | 'cannot-run';
      /** End of the output, at most 4,000 characters. */
      readonly output: string;
      /** Item to which halving traced the failure of a join; null: none. */
      readonly culprit: string | null;
    }
  | { readonly kind: 'joined'; readonly request: string; readonly commit: string; readonly tree: string }
  /** `items` conflict with the others; `commit`: the candidate without them. */
  | {
      readonly kind: 'conflict';
      readonly request: string;
      readonly items: readonly string[];
      readonly commit: string;
      readonly tree: string;
      readonly files: readonly string[];
    }
  /** `offered`: the branch by which the project's own people merge it, and what the program that asks them said; null: it is merged. */
  | {
      readonly kind: 'accepted';
      readonly request: string;
      readonly commit: string;
      readonly offered: { readonly branch: string; readonly why: string } | null;
    }
  /** `isLost`: the machine could not say whether it merged, such as after its agent died; asking again is safe. */
  | { readonly kind: 'not-accepted'; readonly request: string; readonly text: string; readonly isLost?: boolean }
  | { readonly kind: 'released'; readonly request: string; readonly workerId: string }
  | { readonly kind: 'forgotten'; readonly request: string };

/** Answer of a person to a question of the run. */
export interface RunAnswered {
  readonly kind: 'answered';
  readonly question: string;
  readonly option: string;
  /** Name of the person, for the record. */
  readonly by: string;
  /** Words of `revise`, of an edited report; empty: none. */
  readonly words: string;
  /** Edited plan of `edit`; null: no plan. */
  readonly parts: readonly Part[] | null;
  /** Commit that the person saw; null: the question is about none. */
  readonly commit: string | null;
  /** Use of the budget that the question is about, by now; absent: as the question has it. */
  readonly spent?: BudgetSpent;
}

/** Question of the agent of a task to a person. */
export interface AgentAsked {
  readonly kind: 'agent-asked';
  readonly item: string;
  readonly attempt: number;
  readonly workerId: string;
  /** Name of the worker. */
  readonly name: string;
  readonly text: string;
}

/** Act of a person on the whole run. */
export interface PersonActed {
  readonly kind: 'person-acted';
  readonly act: 'pause' | 'resume' | 'stop';
  readonly by: string;
}

export type RunEvent =
  /** First event of every run. */
  | { readonly kind: 'requested' }
  | TaskEnded
  | RunOutcome
  | RunAnswered
  | AgentAsked
  | PersonActed
  /** A person has looked at a commit. `by`: the id of their token. */
  | { readonly kind: 'reviewed'; readonly by: string; readonly commit: string }
  /** A message between agents that its receiver never got. `from`: name of the worker that sent it. */
  | { readonly kind: 'message-lost'; readonly from: string; readonly to: string; readonly why: string }
  /** Sum of the attempt since a machine began to count, as its program tells it: after a move another machine counts from nothing. */
  | {
      readonly kind: 'usage';
      readonly item: string;
      readonly attempt: number;
      readonly since: number;
      readonly usage: Usage;
    }
  /** Parts of the budgets of `drover.toml` that are spent for a worker, without regard to what people allowed. */
  | { readonly kind: 'budget-told'; readonly workerId: string; readonly uses: readonly BudgetUse[] }
  /** `[budget]` of `drover.toml` has changed. */
  | { readonly kind: 'budget-changed' }
  /** The account is limited until a time (null: not known), or open again. */
  | {
      readonly kind: 'account-changed';
      readonly account: string;
      readonly isLimited: boolean;
      readonly until: number | null;
    }
  /**
   * The machine of the worker is away, or back. A removed one ends the task with MACHINE_LOST. `isWithCommits`: it has the commits of the run,
   * without which nobody else can go on; absent: another machine has them. `isGone`: a person revoked it; absent: nobody did.
   */
  | {
      readonly kind: 'machine-changed';
      readonly workerId: string;
      readonly isAway: boolean;
      readonly isWithCommits?: boolean;
      readonly isGone?: boolean;
    }
  /** The machine with the commits of the run is away, so that nothing can be kept, checked or joined; or it is back. */
  | { readonly kind: 'home-changed'; readonly isAway: boolean }
  /** The worker waits for a person: `text` says for what. Null: it goes on. */
  | { readonly kind: 'worker-asks'; readonly workerId: string; readonly text: string | null }
  | { readonly kind: 'deadline'; readonly name: RunDeadlineName };

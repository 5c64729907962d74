/** Defines the events of the policy: observations, expired deadlines, and requests by people. */
import type { RunItem } from '../run/task.ts';
import type { BudgetUse } from '../run/allowance.ts';
import type { RestoreDue } from './checkpoint.ts';
import type { UnfinishedTask } from './lifecycle.ts';
import type { StartingPoint } from './task.ts';
import type { Route } from './move.ts';
import type { ToolFailureReport } from '../tool-failures/report.ts';
import type { Repair } from './repair.ts';
import type { DeadlineName } from './deadline.ts';
import type { CommandResult, Pin } from '../machine/commands.ts';
import type { Conductor } from '../merge/step.ts';
import type { Run } from '../merge/step.ts';
import type { Incarnation, Reading } from '../machine/reading.ts';

/** End of a program and its last words. */
export interface ExitFacts {
  readonly incarnation: Incarnation;
  /** Exit status; null when a signal ended it or tmux lost it. */
  readonly status: number | null;
  readonly signal: number | null;
  /** The last non-empty lines of the screen, redacted, at most 40. */
  readonly lastLines: readonly string[];
  /** Limit that the last screen showed, if any. */
  readonly limit: { readonly resets: string | null } | null;
  readonly at: number;
}

/** A pane that the machine reports at every hello. */
export interface ListedPane {
  readonly incarnation: Incarnation;
  readonly dead: boolean;
}

/** Message from the conductor of a train to its members, in the transaction of its own decision. */
export type TrainEvent =
  /** Takes the accepted work along. */
  | { readonly kind: 'train-boarded'; readonly conductor: Conductor }
  /** Leaves the work for the next train, with the results of the checks: this one is over. */
  | {
      readonly kind: 'train-left';
      readonly why: string;
      readonly runs: readonly Run[];
      readonly red: string | null;
      /** Commit that may have been published all the same. */
      readonly maybe: string | null;
    }
  /** Reports that the work is in the default branch, as `commit`. */
  | { readonly kind: 'train-landed'; readonly commit: string }
  /** Blames the work: the checks pass with the work before it, and fail with it. */
  | {
      readonly kind: 'train-culprit';
      readonly command: string;
      readonly output: string;
      /** Names of the workers whose work comes before. */
      readonly before: readonly string[];
    };

/** Every event that `decide` takes. An event concerns one worker; the caller has found which. */
export type WorkerEvent =
  // Requests by people.
  | { readonly kind: 'up-requested' }
  | { readonly kind: 'down-requested' }
  /** `task`: the end of a task that the worker has in hand; without it such a worker is not removed. */
  | { readonly kind: 'nuke-requested'; readonly force: boolean; readonly task?: UnfinishedTask | undefined }
  /** `from`: existing work on which it begins; absent: the newest default branch. */
  | {
      readonly kind: 'start-requested';
      readonly taskId: string;
      readonly prompt: string;
      readonly text: string;
      readonly from?: StartingPoint | undefined;
      /** Item of a run that the task is for. */
      readonly run?: RunItem | undefined;
    }
  /**
   * Next turn of a run's task, by a newer attempt; `handBack`: the last turn of this attempt, before which an agent at work is interrupted.
   * Refused as `stale` for another run or item, or an older attempt.
   */
  | {
      readonly kind: 'run-turn-requested';
      readonly id: string;
      readonly text: string;
      readonly run: RunItem;
      readonly handBack?: true | undefined;
    }
  /**
   * End of a run's task for its worker, which stops and becomes idle; its work was pinned before. `id`: name of the checkpoint that keeps files
   * that were not committed. `why`: words for people, such as "its work was merged".
   */
  | {
      readonly kind: 'run-released';
      readonly id: string;
      readonly run: Pick<RunItem, 'runId' | 'item'>;
      readonly how: 'merged' | 'dropped';
      readonly why: string;
    }
  /** End of the task without a result; the work so far is kept as checkpoint `id`. `task`: this one, and no other. */
  | { readonly kind: 'cancel-requested'; readonly id: string; readonly task: string; readonly by: string }
  /** `grantsNothing`: words of another agent, or of a run: they answer no question and resume nothing. */
  | {
      readonly kind: 'message-requested';
      readonly id: string;
      readonly text: string;
      readonly grantsNothing?: true;
    }
  | { readonly kind: 'reject-requested'; readonly id: string; readonly text: string }
  /** `pin`: work as the person saw it. Null in the history of builds that did not ask. */
  /** `nothing`: the person knows that nothing would be merged, and the task is to end all the same. */
  /** `more`: the same person accepts others at once, with which it comes along. */
  | {
      readonly kind: 'accept-requested';
      readonly pin: Pin | null;
      readonly nothing?: boolean | undefined;
      readonly more?: boolean | undefined;
    }
  /** Put the work that waits on the newest default branch, in its worktree. */
  | { readonly kind: 'rebase-requested' }
  /** An answer to an escalation. Refused as `stale` unless that incident is open and has that option. */
  | {
      readonly kind: 'escalation-answered';
      readonly incident: string;
      readonly option: string;
      readonly text: string | null;
      readonly by: string;
    }
  | { readonly kind: 'checkpoint-requested'; readonly id: string; readonly why: string }
  /** Return to a checkpoint; `resetAgent`: with a conversation of its own. */
  | { readonly kind: 'restore-requested'; readonly checkpoint: RestoreDue; readonly resetAgent: boolean }
  /** Move to another machine. */
  | { readonly kind: 'move-requested'; readonly route: Route }
  /** End of the move: the worker goes on at its former place. */
  | { readonly kind: 'move-cancel-requested' }
  /** Repair of contradicting facts that `drover doctor` found, allowed by a person. */
  | { readonly kind: 'repair-requested'; readonly repair: Repair }
  // Reports of machines.
  | { readonly kind: 'screen-seen'; readonly incarnation: Incarnation; readonly reading: Reading }
  | { readonly kind: 'pane-exited'; readonly exit: ExitFacts }
  /** `hasRestarted`: the machine itself has started again since it was asked last. */
  | { readonly kind: 'panes-listed'; readonly pane: ListedPane | null; readonly hasRestarted?: true }
  | { readonly kind: 'command-finished'; readonly seq: number; readonly result: CommandResult }
  /** Failure of a tool of the agent, in this life of the pane; null: in an earlier one. The hook has advised the agent. */
  | { readonly kind: 'tool-failed'; readonly incarnation: Incarnation | null; readonly report: ToolFailureReport }
  // Time and neighbours.
  | { readonly kind: 'deadline-expired'; readonly name: DeadlineName }
  | { readonly kind: 'default-branch-moved' }
  /** New decision of the project on a kind of trust, which its dialog may ask for. */
  | { readonly kind: 'trust-decided' }
  | TrainEvent
  /** New state of the account that the worker's agent uses. `until`: expected end of the limit, if known. */
  | {
      readonly kind: 'account-changed';
      readonly state: 'open' | 'paused' | 'probe';
      readonly until: number | null;
      /** Another account of its profile, which is open; absent: there is none. */
      readonly other?: string;
    }
  /** Use of each budget that the worker is under; none: it is under none. `dayEndsAt`: end of the day of its project. */
  | { readonly kind: 'budget-told'; readonly uses: readonly BudgetUse[]; readonly dayEndsAt: number }
  /** Arrival of the luggage on the other machine. `fresh`: reason why its agent begins a new conversation; null: it does not. */
  | { readonly kind: 'move-carried'; readonly move: string; readonly fresh: string | null }
  /** Failure to carry the luggage. */
  | { readonly kind: 'move-not-carried'; readonly move: string; readonly why: string }
  /** Silence of the machine for longer than its lease, or its wait for a person. `why`: words of its gateway that follow its name. */
  | { readonly kind: 'machine-lost'; readonly silentMs: number; readonly why?: string }
  /** Removal of the machine from the fleet by a person, and of its workers with it. */
  | { readonly kind: 'machine-removed' };

/**
 * Defines the commands from a coordinator to a machine, and their results. Typed commands only: none holds a shell string, a key or an escape
 * sequence. Every command is safe to repeat after a check. Paths are absolute paths on the worker's machine and are resolved there, from the
 * project.
 */
import type {
  CandidateNote,
  CheckpointType,
  Launch,
  Pin,
  RanOn,
  TrainItem,
  TrainLink,
  TypingMethod,
  Work,
} from './arguments.ts';
import type { Changed, DeliverResult, Failed, Opened, PaneGone, Supplied, Unknown } from './ends.ts';
import type { Gitlink } from './gitlinks.ts';
import type { MoveCommands } from './move-commands.ts';
import type { RebaseCommands } from './rebase-commands.ts';
import type { DeliveryEvidence, GitFacts, Incarnation, Reading } from './reading.ts';
import type { ResultSeen, RunItem } from '../run/task.ts';
import type { SetUpWanted } from './set-up.ts';
import type { TurnCommands } from './turn-commands.ts';

export { CHECKPOINT_TYPES, VERDICTS } from './arguments.ts';
export type * from './arguments.ts';
export type { DeliverResult, Failed, Unknown } from './ends.ts';

/** Each command with its arguments and its possible ends, beside `failed` and `unknown`, which any command can have. */
export interface Commands extends MoveCommands, RebaseCommands, TurnCommands {
  /**
   * Make the worktree exist; with `reset` also bring it to the newest default branch, or to the commit `from` of existing work, after saving
   * uncommitted files.
   */
  readonly prepare: {
    readonly args: { readonly reset: boolean; readonly saveAs: string; readonly from?: string | undefined };
    readonly result: {
      readonly kind: 'prepared';
      readonly base: string;
      readonly head: string;
      readonly saved: string | null;
      readonly supplies?: Supplied;
      readonly setUp?: SetUpWanted | undefined;
    };
  };
  /** Run the commands that make the worker's place ready for its agent. Safe to repeat. `said`: their last output, for people. */
  readonly 'set-up': {
    readonly args: object;
    readonly result: { readonly kind: 'set-up'; readonly said: string };
  };
  /** Open the worker's session with the agent in it. A session that exists already is answered, not replaced. */
  readonly open: { readonly args: { readonly launch: Launch }; readonly result: Opened | PaneGone };
  /** Start the agent again in the pane of `incarnation`; with `force` even if its program still lives. */
  readonly respawn: {
    readonly args: { readonly incarnation: Incarnation; readonly launch: Launch; readonly force: boolean };
    readonly result: Opened | PaneGone;
  };
  /** Close the worker's session. */
  readonly close: { readonly args: object; readonly result: { readonly kind: 'closed' } };
  /** Give the agent a text. */
  readonly deliver: {
    readonly args: {
      readonly incarnation: Incarnation;
      readonly text: string;
      readonly method: TypingMethod;
      /** Extra time to let the program settle before Enter, in milliseconds. */
      readonly settleMs: number;
      /** The agent may be busy: the text may be queued by the program. */
      readonly mayQueue: boolean;
      /** Drover's own partial text is in the box: clear it first. */
      readonly clearFirst: boolean;
      /** The whole text is in the box already: press Enter only. */
      readonly enterOnly: boolean;
      /** Id that stays the same in each attempt with this text. */
      readonly textId: string;
      /** Task in hand, for which its machine counts what the agent uses. Absent: there is none. */
      readonly task?: string | undefined;
      /** Item of a run for which a result is owed: the machine lays out its file before it types. Absent: none is owed. */
      readonly owed?: RunItem | undefined;
    };
    readonly result: DeliverResult;
  };
  /** Check: screen, git and, with `delivery`, the outcome of the delivery with that sequence number. `textId`: id of that delivery's text. */
  readonly observe: {
    readonly args: {
      readonly base: string | null;
      readonly delivery: number | null;
      readonly textId?: string | undefined;
      /** Item of a run whose result is read. */
      readonly owed?: RunItem | undefined;
    };
    readonly result: {
      readonly kind: 'observed';
      readonly incarnation: Incarnation | null;
      readonly screen: Reading | null;
      readonly git: GitFacts | null;
      readonly delivery: DeliveryEvidence | null;
      /** Absent: not read, or read by a machine that is too old for it. */
      readonly result?: ResultSeen | undefined;
    };
  };
  /** Save the worktree as it is under the name `id`, touching neither index nor files, and drop all but the newest `keptMax` of each sort. */
  readonly checkpoint: {
    readonly args: {
      readonly id: string;
      readonly type: CheckpointType;
      readonly why: string;
      readonly keptMax?: number | undefined;
    };
    readonly result: {
      readonly kind: 'checkpointed';
      /** Null when there is nothing to save: the worktree is as its HEAD. */
      readonly commit: string | null;
      readonly head: string;
      /** Files with uncommitted changes. */
      readonly dirty: number;
    };
  };
  /** Bring branch, index and files back to a saved commit; the present files are saved as `saveAs` first. */
  readonly restore: {
    readonly args: { readonly id: string; readonly commit: string; readonly saveAs: string };
    readonly result: {
      readonly kind: 'restored';
      readonly head: string;
      readonly saved: string | null;
      readonly supplies?: Supplied;
      readonly setUp?: SetUpWanted | undefined;
    };
  };
  /**
   * Make of the worker's HEAD, if `at` names it, one commit on the newest default branch, beside the agent's worktree, which stays unchanged.
   * The same HEAD on the same default branch gives the same commit. `began`: the commit on which the work began, if known. If `at` names a
   * comparison, the command makes only the change that was shown.
   */
  readonly candidate: {
    readonly args: { readonly at: Pin | null; readonly began: string | null };
    readonly result:
      | {
          readonly kind: 'candidate';
          readonly head: string;
          readonly headTree: string;
          readonly base: string;
          readonly commit: string;
          readonly tree: string;
          /** Names the checks that would run on it now; empty: the project has none. */
          readonly checks: string;
          readonly notes: readonly CandidateNote[];
          /** Commits of other repositories that the work names, and that nobody can fetch. Absent: there is none, or its machine does not look. */
          readonly gitlinks?: readonly Gitlink[] | undefined;
        }
      | { readonly kind: 'clash'; readonly head: string; readonly base: string; readonly files: readonly string[] }
      /** Nothing to merge: the default branch has all of the work. */
      | { readonly kind: 'contained'; readonly head: string; readonly base: string }
      /** The work stands on `dropped`, which is no longer in the default branch: a merge would bring that back. */
      | { readonly kind: 'rewritten'; readonly head: string; readonly base: string; readonly dropped: string }
      | Changed;
  };
  /**
   * Build the work of other workers on the commit `onto`, each on the one before, in order: one commit from each HEAD that `at` names. The same
   * items in the same order give the same commits. An item that cannot come along is left out and reported. `away`: its commits could not be
   * had.
   */
  readonly extend: {
    readonly args: { readonly onto: string; readonly items: readonly TrainItem[] };
    readonly result: {
      readonly kind: 'extended';
      readonly onto: string;
      readonly links: readonly TrainLink[];
      readonly left: readonly {
        readonly worker: string;
        readonly why: 'clash' | 'contained' | 'changed' | 'isolated' | 'away';
        readonly detail: string;
      }[];
    };
  };
  /**
   * Run the project's checks on exactly this candidate. `on`: have the machine of this name run them; the result then names it. A machine that
   * keeps them fails with "checks-stay"; "checks-away": the other machine is silent.
   */
  readonly validate: {
    readonly args: { readonly at: Pin; readonly on?: string | undefined };
    readonly result:
      | ({ readonly kind: 'valid'; readonly head: string; readonly tree: string; readonly checks: string } & RanOn)
      | ({ readonly kind: 'invalid'; readonly command: string; readonly output: string } & RanOn)
      | Changed;
  };
  /**
   * Move the default branch from `base` to `commit`, or not at all. A commit that is already there is answered as published. If the default
   * branch takes no pushes, the project gets `commit` as a branch of the task instead.
   */
  readonly publish: {
    readonly args: { readonly base: string; readonly commit: string; readonly work?: Work | undefined };
    readonly result:
      | { readonly kind: 'published'; readonly commit: string }
      /** The commit is on a branch of its own at the remote, for people to merge. `why`: further words for those people; empty: none. */
      | { readonly kind: 'offered'; readonly commit: string; readonly branch: string; readonly why: string }
      | { readonly kind: 'moved'; readonly now: string }
      /** Files of a person would be overwritten. */
      | { readonly kind: 'blocked'; readonly why: string }
      /** The remote rejected the push. */
      | { readonly kind: 'rejected'; readonly words: string };
  };
  /** See whether the default branch contains `commit`. */
  readonly prove: {
    readonly args: { readonly commit: string };
    readonly result:
      | { readonly kind: 'proven'; readonly commit: string }
      | { readonly kind: 'unproven'; readonly now: string };
  };
  /**
   * After proof that `commit` is merged: make worktree and branch fresh, if the branch is at `head` and clean. `head`: the reviewed commit;
   * null: `commit`.
   */
  readonly recycle: {
    readonly args: { readonly commit: string; readonly head: string | null };
    readonly result: { readonly kind: 'recycled'; readonly base: string } | Changed;
  };
  /** Remove worktree and branch. Without `force` only if everything is merged. */
  readonly remove: {
    readonly args: { readonly force: boolean };
    readonly result:
      | { readonly kind: 'removed'; readonly kept: string | null }
      | { readonly kind: 'not-removed'; readonly why: string };
  };
}

/** The names of commands: the key of their time limits in the policy. */
export type CommandKind = keyof Commands;

/** A typed command; with a kind given, a command of that kind. */
export type Command<K extends CommandKind = CommandKind> = {
  [Kind in K]: { readonly kind: Kind } & Commands[Kind]['args'];
}[K];

/** Result of a command that was carried out. */
export type Success<K extends CommandKind = CommandKind> = Commands[K]['result'];

/** End of a command; with a kind given, an end of that kind, so that no result answers another kind. */
export type CommandResult<K extends CommandKind = CommandKind> = Success<K> | Failed | Unknown;

/** Possible ends of each command, beside `failed` and `unknown`: the types of `Commands` as values, to check a machine's answer. */
export const RESULTS = {
  prepare: ['prepared'],
  'set-up': ['set-up'],
  open: ['opened', 'pane-gone'],
  respawn: ['opened', 'pane-gone'],
  close: ['closed'],
  deliver: ['delivered', 'queued', 'refused', 'lost', 'partial'],
  observe: ['observed'],
  answer: ['answered', 'stale', 'pane-gone'],
  interrupt: ['at-rest', 'not-interrupted', 'pane-gone'],
  checkpoint: ['checkpointed'],
  restore: ['restored'],
  rebase: ['rebased', 'conflict', 'changed'],
  resolution: ['judged'],
  candidate: ['candidate', 'clash', 'contained', 'rewritten', 'changed'],
  extend: ['extended'],
  validate: ['valid', 'invalid', 'changed'],
  publish: ['published', 'offered', 'moved', 'blocked', 'rejected'],
  prove: ['proven', 'unproven'],
  recycle: ['recycled', 'changed'],
  freeze: ['frozen'],
  'let-in': ['let-in'],
  remove: ['removed', 'not-removed'],
} as const satisfies { readonly [K in CommandKind]: readonly Commands[K]['result']['kind'][] };

/** Fails to compile while a result of a command is missing from its list. */
const COMPLETE: {
  readonly [K in CommandKind]: Exclude<Success<K>['kind'], (typeof RESULTS)[K][number]>;
} extends Readonly<Record<CommandKind, never>>
  ? true
  : never = true;

/** Tells whether a command can end in this way. Any other answer of a machine says nothing of the command. */
export function belongsTo(command: Command, result: CommandResult): boolean {
  const own: readonly string[] = RESULTS[command.kind];
  return (COMPLETE && own.includes(result.kind)) || result.kind === 'failed' || result.kind === 'unknown';
}

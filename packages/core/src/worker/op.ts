/**
 * What can a coordinator order a machine to do, and what can come back? Typed orders only: none holds a
 * shell string, a key or an escape sequence. Every order is safe to repeat after a look.
 */
import type { AgentState, Composer } from '../agent-state.ts';
import type { CheckpointType } from './checkpoint.ts';

/** One life of a worker's pane: `<server pid>.<server start>.<pane id>.<pane pid>`. Opaque to the policy. */
export type Incarnation = string;

/** How the agent program is to be started. */
export type Launch =
  | { readonly kind: 'fresh'; readonly conversation: string }
  | { readonly kind: 'resume'; readonly conversation: string };

/** How a text is typed. `profile` is the profile's first choice; the others are the rungs of the lost-input ladder. */
export type TypingMethod = 'profile' | 'typed' | 'buffer';

/** How an option of a dialog is named: as the profile says for this kind of dialog, or by the option's own words. */
export type AnswerChoice =
  | { readonly kind: 'policy'; readonly dialog: string }
  | { readonly kind: 'label'; readonly label: string };

/**
 * A commit with its tree. What a person has seen of a worker's work is one, and each step of a merge acts on one and says so.
 * `tree` is null where a person named the commit alone, which names its tree.
 */
export interface Pin {
  readonly head: string;
  readonly tree: string | null;
}

/** One typed order. Paths are absolute paths on the worker's machine and are resolved there, from the project. */
export type Op =
  /** Make the worktree exist; with `reset` also bring it to the newest default branch, saving what was not committed. */
  | { readonly kind: 'prepare'; readonly reset: boolean; readonly saveAs: string }
  /** Open the worker's session with the agent in it. A session that exists already is answered, not replaced. */
  | { readonly kind: 'open'; readonly launch: Launch }
  /** Start the agent anew in the pane of `incarnation`; with `force` even if its program still lives. */
  | { readonly kind: 'respawn'; readonly incarnation: Incarnation; readonly launch: Launch; readonly force: boolean }
  /** Close the worker's session. */
  | { readonly kind: 'close' }
  | {
      readonly kind: 'deliver';
      readonly incarnation: Incarnation;
      readonly text: string;
      readonly method: TypingMethod;
      /** Extra time to let the program settle before Enter, in milliseconds. */
      readonly settleMs: number;
      /** The agent may be busy: the text may be queued by the program. */
      readonly mayQueue: boolean;
      /** Drover's own partial text stands in the box: clear it first. */
      readonly clearFirst: boolean;
      /** The whole text stands in the box already: press Enter only. */
      readonly enterOnly: boolean;
    }
  /** Look: screen, git and, with `delivery`, what became of the delivery ordered under that sequence number. */
  | { readonly kind: 'look'; readonly base: string | null; readonly delivery: number | null }
  /** Answer the dialog on the screen with this fingerprint, and no other. */
  | {
      readonly kind: 'answer';
      readonly incarnation: Incarnation;
      readonly fingerprint: string;
      readonly choice: AnswerChoice;
    }
  /** Save the worktree as it is under the name `id`, touching neither index nor files. */
  | { readonly kind: 'checkpoint'; readonly id: string; readonly type: CheckpointType; readonly why: string }
  /** Bring branch, index and files back to a saved commit; what stands there now is saved as `saveAs` first. */
  | { readonly kind: 'restore'; readonly id: string; readonly commit: string; readonly saveAs: string }
  /** Put the branch on the newest default branch. `at`: only if it is that, or was made of it by an earlier rebase; null: whatever it is. */
  | { readonly kind: 'rebase'; readonly at: Pin | null }
  /** Run the project's checks on exactly this. */
  | { readonly kind: 'validate'; readonly at: Pin }
  /** Make one commit, with this tree, of exactly this; the message loses agent attribution. */
  | { readonly kind: 'squash'; readonly base: string; readonly at: Pin }
  /** Move the default branch of the source from `expected` to `commit`, at which the branch must be, or not at all. */
  | { readonly kind: 'fast-forward'; readonly expected: string; readonly commit: string }
  /** After proof that `commit` is merged: remove worktree and branch and make them fresh. */
  | { readonly kind: 'recycle'; readonly commit: string }
  /** Remove worktree and branch. Without `force` only if everything is merged. */
  | { readonly kind: 'remove'; readonly force: boolean };

/** The names of orders: the key of their time limits in the policy. */
export type OpKind = Op['kind'];

/** What git says about a worktree. */
export interface GitFacts {
  readonly head: string;
  /** Commits in HEAD that the base does not have. */
  readonly ahead: number;
  /** Files with uncommitted changes, untracked ones included. */
  readonly dirty: number;
  readonly subject: string;
  readonly rebasing: boolean;
  readonly unmerged: number;
}

/** What became of a delivery whose result is not known, judged from evidence. */
export type DeliveryEvidence =
  | { readonly kind: 'taken'; readonly by: 'transcript' | 'hook' | 'screen' }
  | { readonly kind: 'in-box-whole' }
  | { readonly kind: 'in-box-part' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unclear'; readonly why: string };

/** One step of a delivery and when it ended, in epoch milliseconds of the machine's clock. */
export interface ReceiptStep {
  readonly step: 'preflight' | 'typed' | 'seen-in-box' | 'entered' | 'taken';
  readonly at: number;
}

/** The evidence that a delivery ended as its result says. */
export interface Receipt {
  /**
   * In words; that of a text that was taken begins with who says so: `transcript: `, `hook: `, `screen: ` (its turn was seen) or
   * `conversation: ` (more of it is on the screen, and no work was seen).
   */
  readonly evidence: readonly string[];
  readonly steps: readonly ReceiptStep[];
  readonly method: string;
  readonly bytes: number;
  /** Times that Enter was pressed. */
  readonly enters: number;
}

/** A screen as an observation. `at` is the machine's clock, comparable only with other times of the same machine. */
export interface Look {
  readonly at: number;
  readonly state: AgentState;
  readonly fingerprint: string;
  /** A mark that changes with real progress (words, transcript) and not with a spinner. */
  readonly progress: string;
  readonly rule: string;
}

/** What a `deliver` order came to. */
export type DeliverResult =
  | { readonly kind: 'delivered'; readonly at: number; readonly receipt: Receipt }
  | { readonly kind: 'queued'; readonly at: number; readonly receipt: Receipt }
  | {
      readonly kind: 'refused';
      readonly why: 'not-ready' | 'dialog' | 'draft' | 'pane-gone' | 'too-long' | 'busy';
      readonly detail: string;
    }
  | { readonly kind: 'lost'; readonly receipt: Receipt }
  | { readonly kind: 'partial'; readonly receipt: Receipt };

/** How an order ended. The kinds beyond `failed` and `unknown` belong to the order of the comment before them. */
export type OpResult =
  /** The order could not be carried out; `code` is stable, `message` is for people. */
  | { readonly kind: 'failed'; readonly code: string; readonly message: string; readonly retry: boolean }
  /** The agent died between act and record: look before repeating. */
  /** Nobody knows; of a delivery with what was seen of it, unless the agent died. */
  | { readonly kind: 'unknown'; readonly why: string; readonly receipt?: Receipt | undefined }
  // prepare
  | { readonly kind: 'prepared'; readonly base: string; readonly head: string; readonly saved: string | null }
  // open, respawn
  | { readonly kind: 'opened'; readonly incarnation: Incarnation }
  | { readonly kind: 'pane-gone' }
  // close, remove
  | { readonly kind: 'closed' }
  | { readonly kind: 'removed'; readonly kept: string | null }
  | { readonly kind: 'not-removed'; readonly why: string }
  // deliver
  | DeliverResult
  // look
  | {
      readonly kind: 'looked';
      readonly incarnation: Incarnation | null;
      readonly screen: Look | null;
      readonly git: GitFacts | null;
      readonly delivery: DeliveryEvidence | null;
    }
  // answer
  | { readonly kind: 'answered'; readonly label: string }
  | { readonly kind: 'stale'; readonly why: string }
  // checkpoint; `commit` is null when nothing is there to save: the worktree is as its HEAD
  | {
      readonly kind: 'checkpointed';
      readonly commit: string | null;
      readonly head: string;
      /** Files with uncommitted changes. */
      readonly dirty: number;
    }
  // restore
  | { readonly kind: 'restored'; readonly head: string; readonly saved: string | null }
  // rebase
  | {
      readonly kind: 'rebased';
      readonly base: string;
      /** What was to be rebased, or HEAD before it; empty: an older machine does not say. */
      readonly from: string;
      readonly head: string;
      readonly tree: string;
      readonly moved: boolean;
      /** Of a rebase for a merge: null if it is `from` merged into `base` and nothing else, so that who has seen the one has seen the other. Else why not. */
      readonly unseen: string | null;
    }
  | { readonly kind: 'conflict'; readonly files: readonly string[]; readonly prompt: string }
  // validate
  | { readonly kind: 'valid'; readonly head: string; readonly tree: string }
  | { readonly kind: 'invalid'; readonly command: string; readonly output: string }
  // squash
  | { readonly kind: 'squashed'; readonly commit: string; readonly tree: string; readonly expected: string }
  | { readonly kind: 'nothing-to-merge' }
  // fast-forward
  | { readonly kind: 'merged'; readonly commit: string }
  | { readonly kind: 'moved'; readonly now: string }
  | { readonly kind: 'blocked'; readonly why: string }
  // rebase, validate, squash, fast-forward, recycle: it is not what the order names, and nothing was done. `head` is it now.
  | { readonly kind: 'changed'; readonly head: string; readonly why: string }
  // recycle
  | { readonly kind: 'recycled'; readonly base: string };

/** Whether the agent is in a turn. One that retries a failed request by itself is: what is typed then waits in its queue. */
export function isAtWork(state: AgentState): boolean {
  return state.kind === 'processing' || (state.kind === 'error' && state.recoverable);
}

/** What stands in the composer, if the state shows one. */
export function composerOfState(state: AgentState): Composer {
  return 'composer' in state ? state.composer : { kind: 'none' };
}

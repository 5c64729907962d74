/** Defines the reports of machines about a worker: its screen, its git, and the evidence that a text was taken. */
import type { AgentState, Composer } from '../agent-state.ts';

/** A life of a worker's pane: `<server pid>.<server start>.<pane id>.<pane pid>`. Opaque to the policy. */
export type Incarnation = string;

/** Facts of git about a worktree. */
export interface GitFacts {
  readonly head: string;
  /** Commits in HEAD that the base does not have. */
  readonly ahead: number;
  /** Files with uncommitted changes, untracked ones included. */
  readonly dirty: number;
  readonly subject: string;
  readonly rebasing: boolean;
  readonly unmerged: number;
  /** Set if HEAD is not on the worker's branch, and git is in the middle of nothing. Absent: HEAD is on it, or its machine does not report it. */
  readonly astray?: Astray | undefined;
  /** True if commits there must be signed. Reported only if files wait to be committed. */
  readonly signs?: boolean | undefined;
}

/** Place of a HEAD that is not on the worker's branch. */
export interface Astray {
  /** Null: HEAD is detached. */
  readonly branch: string | null;
  readonly expected: string;
  /** True if HEAD has all that the worker's branch has: the branch can be moved there without a loss. */
  readonly holdsExpected: boolean;
}

/** Outcome of a delivery whose result is not known, judged from evidence. */
export type DeliveryEvidence =
  | { readonly kind: 'taken'; readonly by: 'transcript' | 'hook' | 'screen' }
  | { readonly kind: 'in-box-whole' }
  | { readonly kind: 'in-box-part' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unclear'; readonly why: string };

/** A step of a delivery and the time of its end, in epoch milliseconds of the machine's clock. */
export interface ReceiptStep {
  readonly step: 'preflight' | 'typed' | 'seen-in-box' | 'entered' | 'taken';
  readonly at: number;
}

/** Evidence that a delivery ended as its result says. */
export interface Receipt {
  /**
   * Words of evidence; for a text that was taken they begin with their source: `transcript: `, `hook: `, `screen: ` (its turn was seen) or
   * `conversation: ` (more of it is on the screen, and no work was seen).
   */
  readonly evidence: readonly string[];
  readonly steps: readonly ReceiptStep[];
  readonly method: string;
  readonly bytes: number;
  /** Times that Enter was pressed. */
  readonly enters: number;
}

/** Content of a screen. `at` is the machine's clock, comparable only with other times of the same machine. */
export interface Reading {
  readonly at: number;
  readonly state: AgentState;
  readonly fingerprint: string;
  /** A mark that changes with real progress (words, transcript) and not with a spinner. */
  readonly progress: string;
  readonly rule: string;
}

/** Tells whether the agent is in a turn. An agent that retries a failed request by itself is in a turn: typed text then waits in its queue. */
export function isAtWork(state: AgentState): boolean {
  return state.kind === 'processing' || (state.kind === 'error' && state.recoverable);
}

/** Returns the composer, if the state shows one. */
export function composerOfState(state: AgentState): Composer {
  return 'composer' in state ? state.composer : { kind: 'none' };
}

/** Tells whether a screen says nothing of what its agent does. */
export function showsNothing(seen: Reading | null): boolean {
  return seen?.state.kind === 'unknown' || seen?.state.kind === 'starting';
}

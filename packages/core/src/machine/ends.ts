/** Defines the ends of commands to machines: ends that several commands share, and ends that any command can have. */
import type { Incarnation, Receipt } from './reading.ts';
import type { Supplies } from './supplies.ts';

/** Result of a `deliver` command. */
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

/** A session with a program in it. */
export interface Opened {
  readonly kind: 'opened';
  readonly incarnation: Incarnation;
}

/** The pane that the command names is gone. */
export interface PaneGone {
  readonly kind: 'pane-gone';
}

/** Files that the command brought beside commits; absent: none. */
export type Supplied = Supplies | undefined;

/** The state is not the one that the command names, so nothing was done. `head` is the present commit. */
export interface Changed {
  readonly kind: 'changed';
  readonly head: string;
  readonly why: string;
}

/** Code of a command that expired while its machine was disconnected. */
export const EXPIRED = 'expired';

/** Code of checks that made way, because those of accepted work needed their place. */
export const MADE_WAY = 'made-way';

/** Code: the machine has seen a later command for the worker, such as before the database was restored from a backup. */
export const SUPERSEDED = 'superseded';

/** Codes of checks that cannot run for any work: a person must repair the project or the machine. */
export const CHECKS_CANNOT_RUN: ReadonlySet<string> = new Set([
  'setup-failed',
  'checks-missing',
  'checks-unreadable',
  'check-program-missing',
]);

/** Codes of commands that failed because their machine lacked something, or was not reached: nothing is wrong with agent or work. */
export const OF_THE_MACHINE: ReadonlySet<string> = new Set([
  'disk-full',
  'ENOSPC',
  'EDQUOT',
  'EMFILE',
  'ENFILE',
  'unreachable',
  'connection-lost',
]);

/** Failure of a command; `code` is stable, `message` is for people. */
export interface Failed {
  readonly kind: 'failed';
  readonly code: string;
  readonly message: string;
  readonly retry: boolean;
  /** With `superseded`: number of the last command for the worker that the machine has seen. */
  readonly newestSeq?: number | undefined;
}

/** Unknown outcome, because the agent died between act and record; a delivery says what was seen of it. Check before repeating. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly why: string;
  readonly receipt?: Receipt | undefined;
}

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

/** A session is there, with a program in it. */
export interface Opened {
  readonly kind: 'opened';
  readonly incarnation: Incarnation;
}

/** The pane that the command names is not there. */
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

/** The code of a command that failed because its machine was silent until it was not worth beginning any more. */
export const EXPIRED = 'expired';

/** The code of checks that were left, because those of accepted work needed their place. */
export const MADE_WAY = 'made-way';

/** Codes of checks that cannot run whatever the work is: a person is to mend the project or the machine. */
export const CHECKS_CANNOT_RUN: ReadonlySet<string> = new Set([
  'setup-failed',
  'checks-missing',
  'checks-unreadable',
  'check-program-missing',
]);

/** Codes of commands that failed for what their machine lacks, or because it was not reached: nothing is wrong with agent or work. */
export const OF_THE_MACHINE: ReadonlySet<string> = new Set([
  'disk-full',
  'ENOSPC',
  'EDQUOT',
  'EMFILE',
  'ENFILE',
  'unreachable',
  'connection-lost',
]);

/** The command could not be carried out; `code` is stable, `message` is for people. */
export interface Failed {
  readonly kind: 'failed';
  readonly code: string;
  readonly message: string;
  readonly retry: boolean;
}

/** The outcome is not known, because the agent died between act and record; a delivery says what was seen of it. Check before repeating. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly why: string;
  readonly receipt?: Receipt | undefined;
}

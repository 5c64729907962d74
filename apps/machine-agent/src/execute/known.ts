/** Facts about each command for the machine agent: who carries it out, its costs, and the permission that it needs from the machine's owner. */
import type { Command, CommandKind, CommandResult } from '@drover/core';
import type { CommandContext } from './tools.ts';

/** Facts about one command to this machine. */
export interface Known<K extends CommandKind> {
  /** @throws every error on the way; the executor turns it into `failed`. */
  readonly carryOut: (context: CommandContext, command: Command<K>) => Promise<CommandResult>;
  /** True if it keeps a disk or a processor busy: only some such commands run at one time, and the others never wait for them. */
  readonly isHeavy: boolean;
  /** True if it acts on a pane: meanwhile nothing is reported of that pane. */
  readonly holdsPane: boolean;
  /**
   * Permission of the machine's owner: for commands that read or write the source or run its content, for those that also start a program, for
   * those that run its checks, and for those that make a place ready. Commands that clear away and look stay possible.
   */
  readonly needs: 'nothing' | 'source' | 'source-and-program' | 'source-and-checks' | 'source-and-set-up';
}

/** Traits of commands that end in a moment and work on no pane. */
export const QUICK = { isHeavy: false, holdsPane: false, needs: 'nothing' } as const;
/** Traits of commands that keep a disk or a processor busy. */
export const HEAVY = { ...QUICK, isHeavy: true } as const;
/** Traits of commands that act on a pane. */
export const ON_PANE = { ...QUICK, holdsPane: true } as const;

/** Commands to machines that one file carries out. */
export type KnownCommands = { readonly [K in CommandKind]?: Known<K> };

/** What the machine agent must know of each command: who carries it out, what that takes, and what it asks of the machine's owner. */
import type { Command, CommandKind, CommandResult } from '@drover/core';
import type { CommandContext } from './tools.ts';

/** One command to this machine. */
export interface Known<K extends CommandKind> {
  /** @throws whatever stood in the way; the executor turns it into `failed`. */
  readonly carryOut: (context: CommandContext, command: Command<K>) => Promise<CommandResult>;
  /** It keeps a disk or a processor busy: only some are carried out at one time, and the others never wait for them. */
  readonly isHeavy: boolean;
  /** It acts on a pane: meanwhile the observer says nothing of that pane. */
  readonly holdsPane: boolean;
  /**
   * What the machine's owner may forbid: commands that read or write the source or run what it holds, those that also start a
   * program, those that run its checks, and those that make a place ready. Commands that clear away and look stay possible.
   */
  readonly needs: 'nothing' | 'source' | 'source-and-program' | 'source-and-checks' | 'source-and-set-up';
}

/** Over in a moment; it works on no pane. */
export const QUICK = { isHeavy: false, holdsPane: false, needs: 'nothing' } as const;
/** It keeps a disk or a processor busy. */
export const HEAVY = { ...QUICK, isHeavy: true } as const;
/** It acts on a pane. */
export const ON_PANE = { ...QUICK, holdsPane: true } as const;

/** Some of the commands to machines: those that one file carries out. */
export type KnownCommands = { readonly [K in CommandKind]?: Known<K> };

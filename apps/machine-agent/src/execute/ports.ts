/** What does the core of the agent need of the machine that it works on? Simulations have other hands and panes. */
import type { Command, CommandResult } from '@drover/core';
import type { Query, QueryResult, WorkerSettings, CommandEnvelope } from '@drover/protocol';

/** One command that is being carried out. */
export interface RunningCommand {
  readonly commandId: string;
  /** The number of the command for its worker; 0 for a query. */
  readonly seq: number;
  /** A person waits for it. */
  readonly isAsked: boolean;
  /** As far as the machine's owner allows it. */
  readonly settings: WorkerSettings;
  /** Patterns of files to copy that the owner does not allow. */
  readonly copyForbidden: readonly string[];
  /** Fires when the command's time is over or the agent stops. */
  readonly signal: AbortSignal;
}

/** What carries commands out. It minds neither journal nor time. */
export interface Hands {
  /** @throws whatever stood in the way; the executor turns it into `failed`. */
  carryOut(running: RunningCommand, command: Command): Promise<CommandResult>;
  /** Never rejects: a person waits for the answer. */
  answer(running: RunningCommand, query: Query): Promise<QueryResult>;
}

/** Keeps a command and what is told of panes apart. */
export interface Hold {
  /** Lets the telling go on. Call after the result was recorded. */
  release(): void;
}

/** Who tells what happens in panes. */
export interface Panes {
  /** Holds back what happens to a worker's pane until the command that acts on it is recorded. */
  hold(workerId: string): Hold;
  /** Tells the whole list of managed panes. @throws when it cannot be had. */
  tellPanes(): Promise<void>;
  /** Tells every screen as it is now. @throws when they cannot be seen. */
  tellScreens(): Promise<void>;
}

/**
 * Holds a command against what the machine's owner allows. @returns the worker settings with everything taken out of them that the owner
 * does not allow. @throws CommandError when the command as a whole is not allowed.
 */
export type Confine = (worker: WorkerSettings, command: CommandEnvelope['body']) => Promise<WorkerSettings>;

/** Ports of the agent's core to its machine. Simulations have other hands. */
import type { Command, CommandResult } from '@drover/core';
import type { Query, QueryResult, WorkerSettings, CommandEnvelope } from '@drover/protocol';

/** Command that is being carried out. */
export interface RunningCommand {
  readonly commandId: string;
  /** Number of the command for its worker; 0 for a query. */
  readonly seq: number;
  /** True if a person waits for it. */
  readonly isAsked: boolean;
  /** Settings, as far as the machine's owner allows them. */
  readonly settings: WorkerSettings;
  /** Patterns of files to copy that the owner does not allow. */
  readonly copyForbidden: readonly string[];
  /** Fires when the command's time is over or the agent stops. */
  readonly signal: AbortSignal;
}

/** Carries commands out, without a care for journal or time. */
export interface Hands {
  /** @throws every error on the way; the executor turns it into `failed`. */
  carryOut(running: RunningCommand, command: Command): Promise<CommandResult>;
  /** Never rejects: a person waits for the answer. */
  answer(running: RunningCommand, query: Query): Promise<QueryResult>;
}

/** Reports what a worker uses for its task. */
export interface UsageTeller {
  /** Tells the newest sum, if there is one and it is news. Never rejects. */
  tell(settings: WorkerSettings): Promise<void>;
}

/**
 * Checks a command against the limits of the machine's owner. @returns the worker settings without everything that the owner does not allow.
 * @throws CommandError when the command as a whole is not allowed.
 */
export type Confine = (worker: WorkerSettings, command: CommandEnvelope['body']) => Promise<WorkerSettings>;

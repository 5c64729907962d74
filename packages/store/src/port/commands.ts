// Describes the outbox: commands for machines, and how they ended.
import type { Command, CommandResult } from '@drover/core';
import type { Query, QueryResult, WorkerSettings } from '@drover/protocol';

/** The body of a command: an operation that the policy decided on, or a query of a person. */
export type CommandBody =
  | { readonly kind: 'command'; readonly seq: number; readonly command: Command; readonly asked?: boolean | undefined }
  | { readonly kind: 'query'; readonly query: Query };

/**
 * A command for the outbox. `id` is a UUIDv7, so that commands sort in the order in which they were made; `timeoutMs`
 * counts from its receipt by the machine.
 */
export interface NewCommand {
  readonly id: string;
  readonly machineId: string;
  readonly workerId: string;
  readonly body: CommandBody;
  readonly settings: WorkerSettings;
  readonly timeoutMs: number;
}

/** End of a command, as its machine reports it. */
export interface FinishedCommand {
  readonly id: string;
  readonly machineId: string;
  /** Number of the operation; null: a query. */
  readonly command: { readonly workerId: string; readonly seq: number } | null;
  readonly result: CommandResult | QueryResult;
}

/**
 * Tells whether the result counts. `foreign`: the command is of another machine, worker, number or kind. `unknown`:
 * there is none of this id. `ended`: it has a result already.
 */
export type FinishOutcome = 'finished' | 'ended' | 'foreign' | 'unknown';

/** Command that a machine was given. */
export type GivenCommand = Pick<NewCommand, 'body' | 'settings'>;

/** A command as it is handed to its machine. */
export interface PendingCommand {
  readonly id: string;
  readonly workerId: string;
  /** Epoch milliseconds when it was given. */
  readonly madeAt: number;
  /** True when it went to the machine before, which may have begun it. */
  readonly wasSent: boolean;
  readonly body: CommandBody;
  readonly settings: WorkerSettings;
  readonly timeoutMs: number;
}

/** Command of a worker that a machine was sent. */
export interface SentCommand {
  readonly id: string;
  readonly workerId: string;
  readonly seq: number;
}

// The outbox: what machines are told to do, and how it ended.
import type { Command, CommandResult } from '@drover/core';
import type { Query, QueryResult, WorkerSettings } from '@drover/protocol';
import type { MachineSession } from './machines.ts';

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

/** How a command ended, as a machine says. */
export interface FinishedCommand {
  readonly id: string;
  readonly machineId: string;
  /** Which operation it was; null: a query. */
  readonly command: { readonly workerId: string; readonly seq: number } | null;
  readonly result: CommandResult | QueryResult;
}

/**
 * Whether the result counts. `foreign`: the command is of another machine, worker, number or kind. `unknown`: there is none of this id.
 * `ended`: it has a result already.
 */
export type FinishOutcome = 'finished' | 'ended' | 'foreign' | 'unknown';

/** What a machine was told to do. */
export type GivenCommand = Pick<NewCommand, 'body' | 'settings'>;

/** A command as it is handed to its machine. */
export interface PendingCommand {
  readonly id: string;
  readonly workerId: string;
  /** When it was given, epoch milliseconds. */
  readonly madeAt: number;
  /** True when it went to the machine before, which may have begun it. */
  readonly wasSent: boolean;
  readonly body: CommandBody;
  readonly settings: WorkerSettings;
  readonly timeoutMs: number;
}

/** Which command of a worker a machine was sent. */
export interface SentCommand {
  readonly id: string;
  readonly workerId: string;
  readonly seq: number;
}

/** What is done to commands inside a transaction. */
export interface CommandTransaction {
  insertCommands(commands: readonly NewCommand[], now: number): Promise<void>;
  /** Whether a command of this id was ever made, as far as it is kept. */
  hasCommand(id: string): Promise<boolean>;
  /** Writes a result down, if the command is the one that the machine says it is; the first result stays. */
  finishCommand(finished: FinishedCommand, now: number): Promise<FinishOutcome>;
  /** The same of several commands, of which none is named twice. @returns their outcomes, in this order. */
  finishCommands(finished: readonly FinishedCommand[], now: number): Promise<readonly FinishOutcome[]>;
  /** Unfinished commands of this worker older than `seq` are not sent any more. */
  dropCommandsBefore(workerId: string, seq: number): Promise<void>;
}

/** What is read or written of commands by itself. */
export interface CommandStore {
  /** Commands that this epoch of the machine has not been given, oldest first; marks them as sent in it. */
  takeCommands(machineId: string, epoch: number, limit: number): Promise<readonly PendingCommand[]>;
  /** Machines for which commands wait that no connection has taken yet. */
  machinesWithCommands(): Promise<readonly string[]>;
  /** These are in the machine's journal. Nothing is noted when the session is over, nor of commands of other machines. */
  ackCommands(session: MachineSession, ids: readonly string[]): Promise<void>;
  /**
   * What was sent but not finished is to be sent again: all of it when the machine lost its journal, else what was not
   * acknowledged, as after an answer that got lost.
   */
  resendCommands(machineId: string, which: 'all' | 'unacknowledged'): Promise<void>;
  /** Commands of workers that the machine was sent and that have not ended, oldest first. */
  listSentCommands(machineId: string): Promise<readonly SentCommand[]>;
  /** A command of this machine that has not ended; null: there is none of this id. */
  readGivenCommand(machineId: string, id: string): Promise<GivenCommand | null>;
  commandResult(id: string): Promise<CommandResult | QueryResult | null>;
  /** Ends the queries that have waited for their machine longer than `limits` of their time limits: nobody waits for an answer any more. */
  expireQueries(expired: { readonly limits: number; readonly result: QueryResult }, now: number): Promise<void>;
}

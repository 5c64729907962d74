// What does the coordinator need of a store for recovery?
import type { ErrorCode } from '@drover/core';
import type {
  AccountRow,
  CheckpointRow,
  EpisodeRow,
  ErrorRow,
  EscalationRow,
  IncidentRow,
  ListedError,
  QueueItemRow,
} from './recovery-rows.ts';

/** What recovery does inside a transaction. Rows are locked in the order that `StoreTransaction` names. */
export interface RecoveryTransaction {
  /** @returns false when an incident of this id is there already; it is left alone. */
  insertIncident(incident: IncidentRow): Promise<boolean>;
  readIncident(id: string): Promise<IncidentRow | null>;
  /** Writes the present level, attempts, alternatives, end and outcome. An incident that is closed stays as it is. */
  saveIncident(incident: IncidentRow): Promise<void>;
  listIncidents(filter: IncidentFilter): Promise<readonly IncidentRow[]>;
  insertError(error: ErrorRow): Promise<void>;
  /** The newest error of an incident: the cause of the next one. */
  lastErrorOf(incidentId: string): Promise<string | null>;
  /** Marks the errors of an incident that are not marked yet. */
  markErrorsRecovered(incidentId: string, recoveredAt: number): Promise<void>;
  /** Ends the open errors of a worker that belong to no incident. */
  endLooseErrors(which: LooseErrors, end: LooseEnd): Promise<void>;
  insertEpisode(episode: Omit<EpisodeRow, 'id'>): Promise<void>;
  listEpisodes(filter: EpisodeFilter): Promise<readonly EpisodeRow[]>;

  /**
   * Only one transaction at a time holds a name; until its end. For what has no row to lock: a storm that may be folded.
   */
  lockName(name: string): Promise<void>;
  /** Opens an escalation. @returns `repeated`, having raised the occurrences, when one of its key is open. */
  openEscalation(escalation: EscalationRow): Promise<'opened' | 'repeated'>;
  /** Locks the row until the end of the transaction. */
  lockEscalation(id: string): Promise<EscalationRow | null>;
  /** Writes everything that can change, and raises the version. The caller holds the row. */
  saveEscalation(escalation: EscalationRow): Promise<void>;
  listEscalations(filter: EscalationFilter): Promise<readonly EscalationRow[]>;

  /** @returns false when a checkpoint of this id is there already. */
  insertCheckpoint(checkpoint: CheckpointRow): Promise<boolean>;
  listCheckpoints(filter: CheckpointFilter): Promise<readonly CheckpointRow[]>;
  deleteCheckpoints(ids: readonly string[]): Promise<void>;

  /** Files an item. @returns `repeated`, having raised the occurrences, when one of its key is open or taken. */
  insertQueueItem(item: QueueItemRow): Promise<'filed' | 'repeated'>;
  /** Most urgent first, then oldest; without locks. */
  listQueueItems(filter: QueueItemFilter): Promise<readonly QueueItemRow[]>;
  /** Locks an open item; null when it is not open any more, or somebody else is about to take it. Never waits. */
  lockOpenQueueItem(id: string): Promise<QueueItemRow | null>;
  /** Locks the row until the end of the transaction. */
  lockQueueItem(id: string): Promise<QueueItemRow | null>;
  /** Writes everything that can change. The caller holds the row. */
  saveQueueItem(item: QueueItemRow): Promise<void>;

  /** Locks the account until the end of the transaction; one that nobody heard of is there and open. */
  lockAccount(key: string, now: number): Promise<AccountRow>;
  /** As it stands, without a lock; null for one that nobody heard of. */
  readAccount(key: string): Promise<AccountRow | null>;
  /** The caller holds the row. */
  saveAccount(account: AccountRow): Promise<void>;
}

/** What people and other parts read of recovery. */
export interface RecoveryStore {
  listIncidents(filter: IncidentFilter): Promise<readonly IncidentRow[]>;
  listErrors(filter: ErrorFilter): Promise<readonly ListedError[]>;
  listEpisodes(filter: EpisodeFilter): Promise<readonly EpisodeRow[]>;
  readEscalation(id: string): Promise<EscalationRow | null>;
  listEscalations(filter: EscalationFilter): Promise<readonly EscalationRow[]>;
  readCheckpoint(id: string): Promise<CheckpointRow | null>;
  /** Of one worker, by its id or, for one that was removed, by its name; newest first. */
  listCheckpoints(filter: CheckpointFilter): Promise<readonly CheckpointRow[]>;
  readQueueItem(id: string): Promise<QueueItemRow | null>;
  /** Most urgent first, then oldest. */
  listQueueItems(filter: QueueItemFilter): Promise<readonly QueueItemRow[]>;
  listAccounts(): Promise<readonly AccountRow[]>;
}

/** Which incidents, newest first. `since` is epoch milliseconds of their opening. */
export interface IncidentFilter {
  readonly workerId?: string;
  readonly workerIds?: readonly string[];
  readonly workerName?: string;
  readonly since?: number;
  /** Only those that are not closed. */
  readonly open?: boolean;
  readonly limit: number;
}

/** Which errors, newest first. `since` is epoch milliseconds. */
export interface ErrorFilter {
  readonly workerIds?: readonly string[];
  readonly workerName?: string;
  readonly incidentId?: string;
  readonly code?: ErrorCode;
  readonly since?: number;
  /** Only those that are not over: neither recovered, nor of an incident that ended otherwise. */
  readonly open?: boolean;
  readonly limit: number;
}

/** Which errors without an incident: of one worker, and of some parts. */
export interface LooseErrors {
  readonly workerId: string;
  /** How the names of the parts begin; empty: all. */
  readonly component: string;
  /** Of this task alone. */
  readonly task?: string;
}

/** How errors without an incident end, and when, in epoch milliseconds: it works again, or what they were about is gone. */
export interface LooseEnd {
  readonly outcome: 'recovered' | 'cancelled';
  readonly at: number;
}

/** Which lines of episodes, newest first. `since` is epoch milliseconds. */
export interface EpisodeFilter {
  readonly workerIds?: readonly string[];
  readonly workerName?: string;
  readonly incidentId?: string;
  readonly since?: number;
  readonly limit: number;
}

/** Which escalations, newest first. `since` is epoch milliseconds of their opening. */
export interface EscalationFilter {
  readonly projectId?: string;
  readonly dedupeKey?: string;
  /** Also one that a folded storm made a member of. */
  readonly workerId?: string;
  readonly workerName?: string;
  readonly incidentId?: string;
  /** Only those that still wait for an answer. */
  readonly open?: boolean;
  readonly since?: number;
  /** Ids that begin or end so. */
  readonly idPart?: string;
  readonly limit: number;
}

/** Which checkpoints, newest first. */
export interface CheckpointFilter {
  readonly projectId?: string;
  readonly workerId?: string;
  readonly workerName?: string;
  readonly limit: number;
}

/** Which work items. */
export interface QueueItemFilter {
  readonly projectId?: string;
  readonly status?: readonly QueueItemRow['status'][];
  readonly limit: number;
}

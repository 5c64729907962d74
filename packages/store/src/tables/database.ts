// Declares every table by its name: the rows of the port, and beside them what only queries read. Names become
// snake_case in SQL.
import type { Alternative, WorkerStatus } from '@drover/core';
import type { Generated } from 'kysely';
import type { AccountRow } from '../port/accounts.ts';
import type {
  ChannelLease,
  DeliveryRow,
  IdentityRow,
  NewLinkCode,
  PersonRow,
  PlaceRow,
  SilenceRow,
} from '../port/channels.ts';
import type { CheckpointRow } from '../port/checkpoints.ts';
import type { CommandBody, FinishedCommand, NewCommand } from '../port/commands.ts';
import type { DueWork } from '../port/due-work.ts';
import type { EscalationResponse, EscalationRow } from '../port/escalations.ts';
import type { EventRow, NewEvent, ReceiptRow } from '../port/history.ts';
import type { EpisodeRow, ErrorRow, IncidentRow } from '../port/incidents.ts';
import type { Checkout, Machine } from '../port/machines.ts';
import type { ParcelKey } from '../port/parcels.ts';
import type { AuditHead, AuditRow, ListedToken } from '../port/people.ts';
import type { PolicyRow } from '../port/policies.ts';
import type { FleetProfile } from '../port/profiles.ts';
import type { Project } from '../port/projects.ts';
import type { AnnouncementRow } from '../port/public/announcements.ts';
import type { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '../port/public/webhooks.ts';
import type { QueueItemRow } from '../port/queue.ts';
import type { ReviewRow } from '../port/reviews.ts';
import type { FlowRow, RunEventRow, RunMessageRow, RunRow } from '../port/runs/runs.ts';
import type { UsageRow } from '../port/runs/usage.ts';
import type { TaskRow } from '../port/tasks.ts';
import type { TerminalRow } from '../port/terminals.ts';
import type { WorkerRow } from '../port/workers.ts';

/** A `timestamptz`: read as epoch milliseconds. */
type Instant = number;

/** Tables by name. Written by hand beside migrations/; a test holds `COLUMNS` against the migrated schema. */
export interface Database {
  projects: Project & {
    readonly createdAt: Instant;
    /** Time since when it is kept for its history alone. */
    readonly removedAt: Instant | null;
  };
  /** Single row: the seed of the private key with which the coordinators of this database prove who they are. */
  fleetIdentity: { readonly onlyOne: Generated<boolean>; readonly seed: string; readonly createdAt: Instant };
  /** `sessionEpoch` rises with every hello; `storedThrough` counts within `agentEpoch`. */
  machines: Omit<Machine, 'epoch' | 'checkouts' | 'isGateway' | 'storedThrough'> & {
    readonly sessionEpoch: Generated<number>;
    readonly storedThrough: Generated<number>;
    readonly isGateway: Generated<boolean>;
    readonly accessTokenSha256: string | null;
    readonly createdAt: Instant;
  };
  /** Place of a project on a machine. */
  checkouts: Omit<Checkout, 'at'> & {
    readonly machineId: string;
    readonly projectId: string;
    readonly updatedAt: Instant;
  };
  /** `status` repeats that of the state, for queries. */
  workers: WorkerRow & { readonly status: WorkerStatus };
  tasks: TaskRow & { readonly endedAt: Instant | null };
  usage: UsageRow;
  /** Unique by (`machineId`, `agentEpoch`, `seq`). */
  observations: {
    readonly machineId: string;
    readonly agentEpoch: string;
    readonly seq: number;
    readonly workerId: string | null;
    readonly kind: string;
    readonly body: unknown;
    readonly seenAt: Instant;
    readonly storedAt: Instant;
  };
  /** Reports that were refused, by machine and reason. */
  refusedReports: {
    readonly machineId: string;
    readonly reason: string;
    readonly count: number;
    readonly bytes: number;
    readonly lastSha256: string;
    readonly firstAt: Instant;
    readonly lastAt: Instant;
  };
  /**
   * The decision log. Unique by (`workerId`, `requestId`). `facts`, `outcome` and now and then `stateBefore` are what a decision is taken
   * again with; `quiet` rows are there for that alone.
   */
  events: Omit<EventRow, 'id'> & {
    readonly id: Generated<number>;
    readonly kind: string;
    readonly facts: NewEvent['decided']['facts'] | null;
    readonly outcome: string | null;
    readonly stateBefore: NewEvent['decided']['before'];
    readonly quiet: Generated<boolean>;
  };
  policies: PolicyRow;
  reviews: ReviewRow;
  /**
   * The outbox. `state` goes pending → sent → received (it is in the machine's journal) → done, or to dropped. `seq` is null for a query;
   * `sentEpoch` is the epoch in which the machine was given it last.
   */
  commands: Omit<NewCommand, 'body'> & {
    readonly body: CommandBody;
    readonly seq: number | null;
    readonly state: 'pending' | 'sent' | 'received' | 'done' | 'dropped';
    readonly sentEpoch: number | null;
    readonly result: FinishedCommand['result'] | null;
    readonly createdAt: Instant;
    readonly finishedAt: Instant | null;
  };
  /** Work that is due at a time. Unique by (`kind`, `key`). */
  dueWork: Omit<DueWork, 'workerId' | 'projectId'> & {
    readonly workerId: string | null;
    readonly projectId: string | null;
    readonly attempts: Generated<number>;
    readonly leaseUntil: Instant | null;
    readonly problem: string | null;
  };
  receipts: ReceiptRow & { readonly id: Generated<number>; readonly workerId: string };
  /** Tokens with which machines join, by their SHA-256. Each is used once. */
  joinTokens: {
    readonly tokenSha256: string;
    readonly forGateway: boolean;
    readonly createdAt: Instant;
    readonly expiresAt: Instant;
    readonly usedAt: Instant | null;
  };
  /** Tokens with which people's tools speak, by their SHA-256. */
  apiTokens: Omit<ListedToken, 'channels'> & {
    readonly channels: readonly string[] | null;
    readonly tokenSha256: string;
  };
  profiles: FleetProfile & { readonly name: string; readonly revision: Generated<number>; readonly updatedAt: Instant };
  /** Unique by (`chain`, `seq`). Only ever added to, which a trigger holds. */
  audit: AuditRow;
  auditHeads: AuditHead;
  incidents: Omit<IncidentRow, 'tried'> & { readonly tried: readonly Alternative[] };
  errors: Omit<ErrorRow, 'worker' | 'task' | 'run' | 'timestamp' | 'cause'> & {
    readonly workerName: ErrorRow['worker'];
    readonly taskId: ErrorRow['task'];
    readonly runId: ErrorRow['run'];
    readonly at: Instant;
    readonly causeId: ErrorRow['cause'];
  };
  /** Line for each attempt to recover, and for each beginning and end of a task. */
  episodes: Omit<EpisodeRow, 'id'> & { readonly id: Generated<number> };
  /** Unique by `dedupeKey` while open or acked. */
  escalations: EscalationRow;
  escalationResponses: EscalationResponse;
  checkpoints: CheckpointRow;
  /** Unique by (`projectId`, `dedupeKey`) while open or taken. */
  queueItems: QueueItemRow;
  flows: FlowRow;
  runs: RunRow;
  /** Unique by (`runId`, `seq`) and by (`runId`, `eventId`). */
  runEvents: RunEventRow;
  runMessages: RunMessageRow;
  accounts: AccountRow;
  terminals: TerminalRow & { readonly secretSha256: string | null; readonly replica: string | null };
  /** `machineId` is the sender. Unlogged, as `parcelChunks` is. */
  parcels: ParcelKey & { readonly sizeBytes: number; readonly openedAt: Instant };
  parcelChunks: ParcelKey & { readonly number: number; readonly content: Buffer };
  /** Machines that may read a parcel without a command that names it. */
  parcelReaders: ParcelKey & { readonly readerId: string };
  people: PersonRow;
  identities: IdentityRow;
  linkCodes: NewLinkCode;
  places: Omit<PlaceRow, 'formerAddress'> & { readonly formerAddress: string | null };
  deliveries: DeliveryRow;
  channelLeases: ChannelLease;
  silences: Omit<SilenceRow, 'worker' | 'machine'> & {
    readonly workerName: SilenceRow['worker'];
    readonly machineName: SilenceRow['machine'];
  };
  placeTests: {
    readonly id: string;
    readonly channel: string;
    readonly address: string;
    readonly triedBy: string;
    readonly createdAt: Instant;
    readonly givenAt: Instant | null;
    readonly outcome: 'shown' | 'failed' | null;
    readonly error: string | null;
  };
  /** Unique by `caller` and `key`; `status` is null until it is answered. */
  keptAnswers: {
    readonly caller: string;
    readonly key: string;
    readonly id: string;
    readonly requestSha256: string;
    readonly status: number | null;
    readonly body: unknown;
    readonly at: Instant;
  };
  webhookEndpoints: WebhookEndpoint & { readonly leaseHolder: string | null; readonly leaseUntil: Instant | null };
  /** Unique by `endpointId` and `announcementId`. */
  webhookDeliveries: WebhookDelivery;
  webhookAttempts: WebhookAttempt;
  /** Rows that only triggers write. */
  announcements: AnnouncementRow;
  /** Single row at most: the id up to which announcements may be gone. */
  announcementFloor: { readonly onlyOne: Generated<boolean>; readonly id: number };
}

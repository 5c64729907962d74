// What is stored? The rows of the main job, as the coordinator knows them; those of recovery: recovery-rows.ts.
import type {
  DecisionRecord,
  Op,
  PolicyChanges,
  Receipt,
  RecordedDecision,
  Reply,
  Worker,
  WorkerEvent,
  WorkerStatus,
} from '@drover/core';
import type { Query, Seat } from '@drover/protocol';

/** How a project is worked on. From `drover.toml`. */
export interface ProjectConfig {
  readonly copyFiles: readonly string[];
  /** Checks before a merge, each a program and its arguments. */
  readonly validate: readonly (readonly string[])[];
  /** `repository`: the checks are those of the repository's own file. Absent, as in rows of former builds: `order`. */
  readonly validateFrom?: 'order' | 'repository';
  readonly validateTimeoutMs: number;
  readonly runHooks: boolean;
  readonly preamble: string;
  /** Changes to the recovery policy. Absent: the defaults hold. */
  readonly policy?: ProjectPolicy;
}

/** Changes to the default policy: those of the project, and on top of them those of single workers by name. */
export interface ProjectPolicy {
  readonly project: PolicyChanges;
  readonly workers: Readonly<Record<string, PolicyChanges>>;
}

/** A project as it is stored. */
export interface Project {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  readonly root: string;
  readonly defaultBranch: string;
  readonly config: ProjectConfig;
  readonly mergeWorkerId: string | null;
}

/** A project as its configuration names it. */
export type NewProject = Omit<Project, 'mergeWorkerId'>;

/** What a person has seen of a worker's work. */
export interface ReviewRow {
  readonly workerId: string;
  /** The id of the token. */
  readonly reviewer: string;
  /** The commit that was shown, its tree, and the commit that it was compared with. */
  readonly head: string;
  readonly tree: string;
  readonly base: string;
  readonly reviewedAt: number;
}

/** What a person chose for a worker. */
export interface WorkerOptions {
  readonly profile: string;
  readonly model: string | null;
  readonly rolePrompt: string;
  readonly skipPermissions: boolean;
  readonly allowedTools: readonly string[];
  readonly excludedFromPool: boolean;
  readonly sessionWidth: number;
  readonly sessionHeight: number;
}

/**
 * Who caused a change: a person or a worker by a token, a machine by what it saw, or the policy by itself. `id` is that of the
 * token or of the machine.
 */
export type Cause =
  | { readonly kind: 'person' | 'worker' | 'machine'; readonly id: string; readonly name: string }
  | { readonly kind: 'policy' };

/** A worker as it is stored. Times are epoch milliseconds. */
export interface WorkerRow {
  readonly id: string;
  readonly projectId: string;
  readonly machineId: string;
  readonly name: string;
  readonly options: WorkerOptions;
  readonly state: Worker;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A machine as it is stored. Times are epoch milliseconds of the coordinator. */
export interface Machine {
  readonly id: string;
  readonly name: string;
  readonly publicKey: string;
  readonly facts: Readonly<Record<string, string>> | null;
  readonly epoch: number;
  readonly agentEpoch: string | null;
  readonly storedThrough: number;
  readonly version: string | null;
  readonly lastSeenAt: number | null;
  /** The address of the coordinator that it dialled at its last hello. */
  readonly dialledUrl: string | null;
  /** Null when it has no access token: it must say hello. */
  readonly accessTokenExpiresAt: number | null;
  /** Since when it is refused; null: it is not. */
  readonly revokedAt: number | null;
  /** When a person asked for a new key; null: no new key is wanted. */
  readonly rotateSince: number | null;
}

/** One line of the decision log. */
export interface EventRow {
  readonly id: number;
  readonly workerId: string;
  readonly workerName: string;
  readonly at: number;
  readonly orderId: string | null;
  /** Null in rows of an older build. */
  readonly actor: Cause | null;
  readonly event: WorkerEvent;
  readonly rules: readonly string[];
  readonly records: readonly DecisionRecord[];
  readonly reply: Reply;
  readonly statusBefore: WorkerStatus;
  readonly statusAfter: WorkerStatus;
  /** The version of the policy that it was decided under; null in rows of an older build. */
  readonly policy: string | null;
}

/** One decision, with everything that is needed to take it again. */
export interface NewEvent extends Omit<EventRow, 'id' | 'policy'> {
  /** No line of the history that people read: kept to be decided again. */
  readonly isQuiet: boolean;
  readonly decided: Omit<RecordedDecision, 'id' | 'event'>;
}

/** A whole policy as it is kept. `createdAt` is when it was first decided under, epoch milliseconds. */
export interface PolicyRow {
  readonly version: string;
  readonly document: unknown;
  readonly createdAt: number;
}

/** The body of a command: an order of the policy, or a question of a person. */
export type CommandBody =
  | { readonly kind: 'op'; readonly seq: number; readonly op: Op }
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
  readonly seat: Seat;
  readonly timeoutMs: number;
}

/** The evidence of one attempt to deliver a text. `at` is epoch milliseconds. */
export interface ReceiptRow {
  readonly outgoingId: string;
  readonly purpose: string;
  readonly outcome: string;
  readonly receipt: Receipt;
  readonly at: number;
}

/** A task as the API took it. `createdAt` is epoch milliseconds; `status` is `new` until the policy has spoken. */
export interface TaskRow {
  readonly id: string;
  readonly projectId: string;
  readonly workerId: string | null;
  readonly workerName: string;
  readonly prompt: string;
  readonly status: string;
  /** Who wanted it; null in rows of an older build. */
  readonly actor: Cause | null;
  readonly createdAt: number;
}

/** Something that is due. `key` is unique within `kind`. */
export interface DueWork {
  readonly kind: 'worker-deadline' | 'worker-event' | 'patrol' | 'account' | 'queue';
  readonly key: string;
  readonly dueAt: number;
  readonly payload: unknown;
}

/** Agent profiles that replace or add to those of the build. */
export interface ProfileSet {
  readonly revision: number;
  readonly documents: readonly { readonly name: string; readonly revision: number; readonly document: unknown }[];
}

/** Who a token of the people's API belongs to. */
export interface ApiToken {
  readonly id: string;
  readonly name: string;
  readonly role: 'worker' | 'viewer' | 'responder' | 'operator' | 'admin';
  /** The only project that it reaches; null: all of them. */
  readonly projectId: string | null;
  /** The only worker that it reaches; null: it is a person's. */
  readonly workerId: string | null;
  readonly expiresAt: number | null;
}

/** A token as it is listed. Times are epoch milliseconds; `lastUsedAt` is kept to the minute. */
export interface ListedToken extends ApiToken {
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/** The token of a worker: one for each, and a new one takes the place of the last. */
export interface WorkerToken {
  readonly id: string;
  /** The worker's. */
  readonly name: string;
  readonly workerId: string;
  readonly projectId: string;
  readonly sha256: string;
}

// The policies under which decisions were taken.

/** A whole policy as it is kept. `createdAt` is when it was first decided under, epoch milliseconds. */
export interface PolicyRow {
  readonly version: string;
  readonly document: unknown;
  readonly createdAt: number;
}

/** What is done to policies inside a transaction. */
export interface PolicyTransaction {
  /** Keeps a policy under its version, if it is not kept yet. */
  keepPolicy(policy: PolicyRow): Promise<void>;
}

/** What is read or written of policies by itself. */
export interface PolicyStore {
  /** Policies that were decided under, the newest first. */
  listPolicies(): Promise<readonly PolicyRow[]>;
}

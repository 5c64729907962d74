// Terminals of workers, from the moment a person asks for one until both ends have met. After that no row of them is left.

/** A terminal that somebody may open. */
export interface TerminalRow {
  readonly id: string;
  readonly workerId: string;
  readonly machineId: string;
  /** Token by which it was asked for. */
  readonly tokenId: string;
  /** Lets the person type. */
  readonly types: boolean;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Bytes of a text that one replica gives another: a notification of Postgres holds fewer than 8,000. */
export const CARRIED_BYTES_MAX = 7_500;

/** The channel that a replica listens on for what others give it; its name is letters and digits. */
export function replicaChannel(replica: string): string {
  return `drover_replica_${replica}`;
}

// Terminals of workers, from the moment a person asks for one until both ends have met. After that no row of them is left.

/** A terminal that somebody may open. */
export interface TerminalRow {
  readonly id: string;
  readonly workerId: string;
  readonly machineId: string;
  /** Of the token by which it was asked for. */
  readonly tokenId: string;
  /** Whether the person may type. */
  readonly types: boolean;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** What is done to terminals inside a transaction. */
export interface TerminalTransaction {
  /** @returns false when this token has so many that wait already; those whose time is over are removed. */
  insertTerminal(
    row: TerminalRow & { readonly secretSha256: string },
    limits: { readonly now: number; readonly waitingMax: number },
  ): Promise<boolean>;
}

/** What is done to terminals by itself. */
export interface TerminalStore {
  /** A person comes, at a replica, with the one-time id: it is used up. @returns null for an unknown, used or late one, and for one of another token. */
  joinTerminal(join: {
    readonly secretSha256: string;
    readonly tokenId: string;
    readonly replica: string;
    readonly now: number;
  }): Promise<TerminalRow | null>;
  /** The machine comes: the row is used up. @returns where the person waits; null unless one waits for this very machine. */
  meetTerminal(meet: {
    readonly id: string;
    readonly machineId: string;
    readonly now: number;
  }): Promise<(TerminalRow & { readonly replica: string }) | null>;
  /** Gives texts to another replica, in their order, each at most `CARRIED_BYTES_MAX`. It hears them at once or never. */
  carry(replica: string, texts: readonly string[]): Promise<void>;
}

/** Bytes of a text that one replica gives another: a notification of Postgres holds fewer than 8,000. */
export const CARRIED_BYTES_MAX = 7_500;

/** The channel that a replica listens on for what others give it; its name is letters and digits. */
export function replicaChannel(replica: string): string {
  return `drover_replica_${replica}`;
}

// The columns of terminals.
import type { Instant } from '../columns.ts';

/** Terminals whose ends have not met yet. Unlogged. */
export interface TerminalTable {
  id: string;
  secret_sha256: string | null;
  token_id: string;
  worker_id: string;
  machine_id: string;
  types: boolean;
  expires_at: Instant;
  replica: string | null;
}

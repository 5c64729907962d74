// Terminals in memory that wait: the same as sql/terminals.ts.
import type { TerminalRow } from '../../../port/terminals.ts';
import type { MemoryDatabase } from '../engine/database.ts';

/** @returns false when too many of this token wait. */
export function insertTerminal(
  db: MemoryDatabase,
  row: TerminalRow & { readonly secretSha256: string },
  { now, waitingMax }: { readonly now: number; readonly waitingMax: number },
): boolean {
  for (const [id, { expiresAt }] of db.terminals) if (expiresAt <= now) db.remove(db.terminals, id);
  const waiting = [...db.terminals.values()].filter(({ tokenId }) => tokenId === row.tokenId);
  if (waiting.length >= waitingMax) return false;
  db.put(db.terminals, row.id, row);
  return true;
}

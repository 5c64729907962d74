// Terminals in memory: the same as sql/terminals.ts.
import type { TerminalRow } from '../../port/terminals.ts';
import type { MemoryDatabase, TerminalRecord } from './engine/database.ts';

/** @returns false when too many of this token wait. */
export function insertTerminal(
  db: MemoryDatabase,
  row: TerminalRow & { readonly secretSha256: string },
  { now, waitingMax }: { readonly now: number; readonly waitingMax: number },
): boolean {
  for (const [id, { expiresAt }] of db.terminals) if (expiresAt <= now) db.remove(db.terminals, id);
  const waiting = [...db.terminals.values()].filter(({ tokenId }) => tokenId === row.tokenId);
  if (waiting.length >= waitingMax) return false;
  db.put(db.terminals, row.id, { ...row, replica: null });
  return true;
}

/** A person comes. */
export function joinTerminal(
  db: MemoryDatabase,
  join: { readonly secretSha256: string; readonly tokenId: string; readonly replica: string; readonly now: number },
): TerminalRow | null {
  const { secretSha256, tokenId, replica, now } = join;
  const found = [...db.terminals.values()].find(
    (row) => row.secretSha256 === secretSha256 && row.tokenId === tokenId && row.expiresAt > now,
  );
  if (found === undefined) return null;
  db.put(db.terminals, found.id, { ...found, secretSha256: null, replica });
  return rowOf(found);
}

/** The machine comes. */
export function meetTerminal(
  db: MemoryDatabase,
  { id, machineId, now }: { readonly id: string; readonly machineId: string; readonly now: number },
): (TerminalRow & { replica: string }) | null {
  const found = db.terminals.get(id);
  if (found?.machineId !== machineId || found.replica === null || found.expiresAt <= now) return null;
  db.remove(db.terminals, id);
  return { ...rowOf(found), replica: found.replica };
}

function rowOf({ id, workerId, machineId, tokenId, types, expiresAt }: TerminalRecord): TerminalRow {
  return { id, workerId, machineId, tokenId, types, expiresAt };
}

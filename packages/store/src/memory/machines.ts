// How do machines join a store in memory, and how do they say hello? The same as sql/machines.ts.
import type { Machine, MachineHello, NewMachine } from '../port.ts';
import type { MachineRecord, MemoryDatabase } from './database.ts';

/** A machine whose answer was lost asks again with the same key, and gets the same id. */
export function joinMachine(
  db: MemoryDatabase,
  join: NewMachine,
): { kind: 'joined'; machineId: string } | { kind: 'bad-token' | 'name-taken' } {
  db.machines.lock(`unique ${join.name}`);
  const machines = [...db.machines.values()];
  const known = machines.find(({ publicKey }) => publicKey === join.publicKey);
  if (known !== undefined) return { kind: 'joined', machineId: known.id };
  const token = db.joinTokens.get(join.tokenSha256);
  if (token === undefined || token.usedAt !== null || token.expiresAt <= join.now) return { kind: 'bad-token' };
  if (machines.some(({ name }) => name === join.name)) return { kind: 'name-taken' };
  db.put(db.joinTokens, join.tokenSha256, { ...token, usedAt: join.now });
  db.put(db.machines, join.id, { ...NEW, id: join.id, name: join.name, publicKey: join.publicKey });
  return { kind: 'joined', machineId: join.id };
}

const NEW: Omit<MachineRecord, 'id' | 'name' | 'publicKey'> = {
  facts: null,
  epoch: 0,
  agentEpoch: null,
  storedThrough: 0,
  version: null,
  lastSeenAt: null,
  nonce: null,
  accessTokenExpiresAt: null,
  accessTokenSha256: null,
};

/** Sets the nonce that the next hello must sign. @returns false for a machine that nobody knows. */
export function setNonce(db: MemoryDatabase, id: string, nonce: { value: string; expiresAt: number }): boolean {
  return change(db, id, { nonce }) !== undefined;
}

/** The nonce is used up and the epoch raised in one step, so that of two hellos with one nonce one wins. */
export function hello(db: MemoryDatabase, said: MachineHello): Machine | null {
  const row = db.machines.get(said.machineId);
  if (row?.nonce?.value !== said.nonce || row.nonce.expiresAt <= said.now) return null;
  const greeted = change(db, row.id, {
    nonce: null,
    epoch: row.epoch + 1,
    storedThrough: row.agentEpoch === said.agentEpoch ? row.storedThrough : 0,
    agentEpoch: said.agentEpoch,
    version: said.version,
    facts: said.facts,
    accessTokenSha256: said.accessTokenSha256,
    accessTokenExpiresAt: said.accessTokenExpiresAt,
    lastSeenAt: said.now,
  });
  return greeted === undefined ? null : shown(greeted);
}

/** Who holds this access token; null when nobody does or it has expired. */
export function machineByToken(db: MemoryDatabase, sha256: string, now: number): Machine | null {
  const row = [...db.machines.values()].find(({ accessTokenSha256 }) => accessTokenSha256 === sha256);
  return row === undefined || (row.accessTokenExpiresAt ?? 0) <= now ? null : shown(row);
}

/** @returns null for a machine that nobody knows. */
export function readMachine(db: MemoryDatabase, id: string): Machine | null {
  const row = db.machines.get(id);
  return row === undefined ? null : shown(row);
}

/** All machines by name. */
export function listMachines(db: MemoryDatabase): readonly Machine[] {
  return [...db.machines.values()].map(shown).toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The machine was heard of at this time, epoch milliseconds. */
export function touchMachine(db: MemoryDatabase, id: string, now: number): void {
  change(db, id, { lastSeenAt: now });
}

/** Observations of this buffer are stored through `seq`. Never goes back, and says nothing of another buffer. */
export function setStoredThrough(
  db: MemoryDatabase,
  id: string,
  { agentEpoch, seq }: { agentEpoch: string; seq: number },
): void {
  const row = db.machines.get(id);
  if (row?.agentEpoch === agentEpoch && row.storedThrough < seq) change(db, id, { storedThrough: seq });
}

function change(db: MemoryDatabase, id: string, patch: Partial<MachineRecord>): MachineRecord | undefined {
  const row = db.machines.get(id);
  if (row === undefined) return undefined;
  const next = { ...row, ...patch };
  db.put(db.machines, id, next);
  return next;
}

/** What was shown of a row: each decision reads its machine, and rows are values that nobody changes. */
const SHOWN = new WeakMap<MachineRecord, Machine>();

function shown(row: MachineRecord): Machine {
  const known = SHOWN.get(row);
  if (known !== undefined) return known;
  const { accessTokenSha256: _secret, ...machine } = row;
  SHOWN.set(row, machine);
  return machine;
}

// Machines in memory, how they join and say hello: the same as sql/machines.
import type {
  Checkout,
  Cordon,
  Machine,
  MachineAccess,
  MachineCondition,
  MachineHello,
  MachineSession,
  MachineTerms,
  NewJoinToken,
  NewMachine,
  NewSshMachine,
  SshMachine,
  Touched,
} from '../../port/machines.ts';
import { hasCommandsFor } from './commands.ts';
import { audit } from './people/audit.ts';
import type { MachineRecord, MemoryDatabase } from './engine/database.ts';
import { tokenKey } from './people/tokens.ts';

/** A machine whose answer was lost asks again with the same key, and gets the same id. */
export function joinMachine(
  db: MemoryDatabase,
  join: NewMachine,
): { kind: 'joined'; machineId: string } | { kind: 'bad-token' | 'name-taken' } {
  db.machines.lock(`unique ${join.name}`);
  const machines = [...db.machines.values()];
  const known = machines.find(({ publicKey }) => publicKey === join.publicKey);
  if (known !== undefined && known.revokedAt === null) return { kind: 'joined', machineId: known.id };
  const token = db.joinTokens.get(join.tokenSha256);
  const madeAfter = known?.revokedAt ?? Number.NEGATIVE_INFINITY;
  if (token === undefined || token.usedAt !== null || token.expiresAt <= join.now || token.createdAt <= madeAfter)
    return { kind: 'bad-token' };
  if (known === undefined && machines.some(({ name }) => name === join.name)) return { kind: 'name-taken' };
  db.put(db.joinTokens, join.tokenSha256, { ...token, usedAt: join.now });
  if (known !== undefined) {
    change(db, known.id, { revokedAt: null, rotateSince: null });
    if (join.audit !== undefined) audit(db, join.audit);
    return { kind: 'joined', machineId: known.id };
  }
  const { forGateway: isGateway } = token;
  db.put(db.machines, join.id, { ...NEW, id: join.id, name: join.name, publicKey: join.publicKey, isGateway });
  if (join.audit !== undefined) audit(db, join.audit);
  return { kind: 'joined', machineId: join.id };
}

/** Facts of a machine that has said no hello. */
const NEW_MACHINE = {
  facts: null,
  places: null,
  accessTokenSha256: null,
  accessTokenExpiresAt: null,
  dialledUrl: null,
  revokedAt: null,
  rotateSince: null,
  cordon: null,
  labels: [],
  capacity: null,
  address: null,
  condition: null,
  ssh: null,
  agentEpoch: null,
  version: null,
  lastSeenAt: null,
};

const NEW: Omit<MachineRecord, 'id' | 'name' | 'publicKey'> = {
  ...NEW_MACHINE,
  checkouts: {},
  epoch: 0,
  storedThrough: 0,
  isGateway: false,
};

/** Adds a join token that is good until `expiresAt`, epoch milliseconds. */
export function createJoinToken(
  db: MemoryDatabase,
  { sha256, expiresAt, now, forGateway = false, audit: entry }: NewJoinToken,
): void {
  db.put(db.joinTokens, sha256, { expiresAt, usedAt: null, createdAt: now, forGateway });
  if (entry !== undefined) audit(db, entry);
}

/** A challenge is made for an epoch, which its hello raises in the same step: of two hellos with one challenge one wins. */
export function hello(db: MemoryDatabase, said: MachineHello): Machine | null {
  const row = db.machines.get(said.machineId);
  if (row?.epoch !== said.epoch || row.revokedAt !== null) return null;
  const greeted = change(db, row.id, {
    publicKey: said.publicKey,
    dialledUrl: said.dialledUrl,
    ...(said.rotated && { rotateSince: null }),
    epoch: row.epoch + 1,
    storedThrough: row.agentEpoch === said.agentEpoch ? row.storedThrough : 0,
    agentEpoch: said.agentEpoch,
    version: said.version,
    facts: said.facts,
    places: said.places ?? null,
    accessTokenSha256: said.accessTokenSha256,
    accessTokenExpiresAt: said.accessTokenExpiresAt,
    lastSeenAt: said.now,
  });
  return greeted === undefined ? null : shown(greeted);
}

/** The machine with this access token; null when there is none or it has expired. */
export function machineByToken(db: MemoryDatabase, sha256: string, now: number): Machine | null {
  const row = [...db.machines.values()].find(({ accessTokenSha256 }) => accessTokenSha256 === sha256);
  return row === undefined || (row.accessTokenExpiresAt ?? 0) <= now ? null : shown(row);
}

/** @returns null for an unknown machine. */
export function readMachine(db: MemoryDatabase, id: string): Machine | null {
  const row = db.machines.get(id);
  return row === undefined ? null : shown(row);
}

/** Lists all machines by name, without gateways. */
export function listMachines(db: MemoryDatabase): readonly Machine[] {
  return listOf(db, false);
}

/** Lists all gateways by name. */
export function listGateways(db: MemoryDatabase): readonly Machine[] {
  return listOf(db, true);
}

function listOf(db: MemoryDatabase, areGateways: boolean): readonly Machine[] {
  const rows = [...db.machines.values()].filter(({ isGateway }) => isGateway === areGateways);
  return rows.map(shown).toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** @returns false when the name is taken. */
export function addSshMachine(db: MemoryDatabase, { now: _now, ...machine }: NewSshMachine): boolean {
  db.machines.lock(`unique ${machine.name}`);
  if ([...db.machines.values()].some(({ name }) => name === machine.name)) return false;
  db.put(db.machines, machine.id, { ...NEW, ...machine, publicKey: `none ${machine.id}` });
  return true;
}

/** Replaces the SSH facts of a machine. @returns false for an unknown machine. */
export function saveSsh(db: MemoryDatabase, id: string, ssh: SshMachine): boolean {
  return change(db, id, { ssh }) !== undefined;
}

/** Replaces the key of a machine; its sessions and its access token end. @returns false for an unknown machine. */
export function handMachineOver(db: MemoryDatabase, id: string, publicKey: string): boolean {
  const epoch = (db.machines.get(id)?.epoch ?? 0) + 1;
  return change(db, id, { ...NO_TOKEN, publicKey, epoch, rotateSince: null }) !== undefined;
}

/** Reads whether connections of these machines may go on. */
export function listAccess(db: MemoryDatabase, ids: readonly string[]): readonly MachineAccess[] {
  return ids.flatMap((id) => db.machines.get(id) ?? []);
}

/** Notes a sign of life at this time, epoch milliseconds. @returns null when the session is over. */
export function touchMachine(
  db: MemoryDatabase,
  session: MachineSession,
  now: number,
  condition?: MachineCondition,
): Touched | null {
  if (!isPresent(db, session)) return null;
  change(db, session.machineId, { lastSeenAt: now, ...(condition !== undefined && { condition }) });
  return {
    hasCommands: hasCommandsFor(db, session),
    profilesRevision: Math.max(0, ...[...db.profiles.values()].map(({ revision }) => revision)),
  };
}

/** Notes where a project lies on a machine, and replaces what was known. */
export function saveCheckout(
  db: MemoryDatabase,
  { machineId, projectId }: { readonly machineId: string; readonly projectId: string },
  checkout: Checkout,
): void {
  change(db, machineId, { checkouts: { ...db.machines.get(machineId)?.checkouts, [projectId]: checkout } });
}

/** The machine has no access token from now on, and gets none; its workers have none either. @returns false for an unknown machine. */
export function revokeMachine(db: MemoryDatabase, id: string, now: number): boolean {
  for (const worker of db.workers.values()) if (worker.machineId === id) db.remove(db.apiTokens, tokenKey(worker.id));
  return change(db, id, { ...NO_TOKEN, revokedAt: db.machines.get(id)?.revokedAt ?? now }) !== undefined;
}

/** The machine must say hello, and make a new key then. @returns false for an unknown or revoked one. */
export function rotateMachine(db: MemoryDatabase, id: string, now: number): boolean {
  if (db.machines.get(id)?.revokedAt !== null) return false;
  return change(db, id, { ...NO_TOKEN, rotateSince: now }) !== undefined;
}

/** Stops new work for a machine; null: allows it again. @returns false for an unknown machine. */
export function saveCordon(db: MemoryDatabase, id: string, cordon: Cordon | null): boolean {
  return change(db, id, { cordon }) !== undefined;
}

/** Replaces the terms of a machine. @returns false for an unknown machine. */
export function saveTerms(db: MemoryDatabase, id: string, { labels, capacity, address }: MachineTerms): boolean {
  return change(db, id, { labels, capacity, address }) !== undefined;
}

const NO_TOKEN = { accessTokenSha256: null, accessTokenExpiresAt: null };

/** Removes a machine that has no workers. @returns false when it has. */
export function removeMachine(db: MemoryDatabase, id: string): boolean {
  if ([...db.workers.values()].some(({ machineId }) => machineId === id)) return false;
  for (const table of [db.outbox, db.ended])
    for (const command of table.values()) if (command.machineId === id) db.remove(table, command.id);
  for (const [key, { machineId }] of db.refusedReports) if (machineId === id) db.remove(db.refusedReports, key);
  db.remove(db.machines, id);
  return true;
}

/** Observations of this session's buffer are stored through `seq`. Never goes back. @returns false when the session is over. */
export function setStoredThrough(db: MemoryDatabase, session: MachineSession, seq: number): boolean {
  const row = db.machines.get(session.machineId);
  if (row === undefined || !isPresent(db, session)) return false;
  change(db, row.id, { storedThrough: Math.max(row.storedThrough, seq) });
  return true;
}

function isPresent(db: MemoryDatabase, { machineId, epoch, agentEpoch }: MachineSession): boolean {
  const row = db.machines.get(machineId);
  return row?.epoch === epoch && row.agentEpoch === agentEpoch && row.revokedAt === null;
}

function change(db: MemoryDatabase, id: string, patch: Partial<MachineRecord>): MachineRecord | undefined {
  const row = db.machines.get(id);
  if (row === undefined) return undefined;
  const next = { ...row, ...patch };
  db.put(db.machines, id, next);
  return next;
}

/** Machine shown for a row: each decision reads its machine, and rows are values that never change. */
const SHOWN = new WeakMap<MachineRecord, Machine>();

function shown(row: MachineRecord): Machine {
  const known = SHOWN.get(row);
  if (known !== undefined) return known;
  const { accessTokenSha256: _secret, ...machine } = row;
  SHOWN.set(row, machine);
  return machine;
}

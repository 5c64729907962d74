// The outbox in memory: the same as sql/commands.ts.
import type { CommandResult } from '@drover/core';
import type { QueryResult } from '@drover/protocol';
import type {
  FinishedCommand,
  FinishOutcome,
  GivenCommand,
  NewCommand,
  PendingCommand,
  SentCommand,
} from '../../port/commands.ts';
import type { MachineSession } from '../../port/machines.ts';
import type { CommandRecord, MemoryDatabase } from './engine/database.ts';

/** @throws Error when the worker was given a command of this number before, as the unique key of the table would. */
export function insertCommands(db: MemoryDatabase, commands: readonly NewCommand[], now: number): void {
  for (const command of commands) {
    const { body, workerId } = command;
    for (const table of [db.outbox, db.ended]) {
      for (const other of table.values()) {
        const same = other.workerId === workerId && other.body.kind === 'command' && body.kind === 'command';
        if (same && other.body.kind === 'command' && body.kind === 'command' && other.body.seq === body.seq)
          throw new Error(`The worker ${workerId} has a command ${body.seq} already`);
      }
    }
    const row = { ...command, state: 'pending', sentEpoch: null, result: null, madeAt: now, finishedAt: null } as const;
    db.put(db.outbox, command.id, row);
  }
}

/** Tells whether a command of this id was ever made. */
export function hasCommand(db: MemoryDatabase, id: string): boolean {
  return db.outbox.has(id) || db.ended.has(id);
}

/** Reads a command while it has not ended. */
export function readGivenCommand(db: MemoryDatabase, machineId: string, id: string): GivenCommand | null {
  const row = db.outbox.get(id);
  return row?.machineId === machineId ? { body: row.body, settings: row.settings } : null;
}

/** Tells whether commands wait for this session. */
export function hasCommandsFor(db: MemoryDatabase, { machineId, epoch }: MachineSession): boolean {
  return of(db, machineId).some(
    ({ state, sentEpoch }) => state === 'pending' || (state === 'sent' && (sentEpoch ?? epoch) < epoch),
  );
}

/** Machines for which commands wait that no connection has taken yet. */
export function machinesWithCommands(db: MemoryDatabase): readonly string[] {
  const waiting = [...db.outbox.values()].filter(({ state }) => state === 'pending');
  return [...new Set(waiting.map(({ machineId }) => machineId))];
}

/** Takes the commands that this epoch was not given yet, oldest id first. An older epoch of the machine takes nothing. */
export function takeCommands(
  db: MemoryDatabase,
  machineId: string,
  epoch: number,
  limit: number,
): readonly PendingCommand[] {
  const machine = db.machines.get(machineId);
  if (machine?.epoch !== epoch || machine.revokedAt !== null) return [];
  const due = of(db, machineId)
    .filter(({ state, sentEpoch }) => state === 'pending' || (state === 'sent' && (sentEpoch ?? epoch) < epoch))
    .filter(({ id }) => !db.outbox.isHeld(id))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .slice(0, limit);
  for (const row of due) db.put(db.outbox, row.id, { ...row, state: 'sent', sentEpoch: epoch });
  return due.map(({ id, workerId, body, settings, timeoutMs, madeAt, sentEpoch }) => ({
    id,
    workerId,
    body,
    settings,
    timeoutMs,
    madeAt,
    wasSent: sentEpoch !== null,
  }));
}

/** Marks commands as acknowledged: they are in the machine's journal now. */
export function ackCommands(db: MemoryDatabase, { machineId, epoch }: MachineSession, ids: readonly string[]): void {
  if (db.machines.get(machineId)?.epoch !== epoch) return;
  for (const id of ids) {
    const row = db.outbox.get(id);
    if (row?.machineId === machineId && row.state !== 'received') db.put(db.outbox, id, { ...row, state: 'received' });
  }
}

/** Makes commands that a machine was sent ready to be sent again. */
export function resendCommands(db: MemoryDatabase, machineId: string, which: 'all' | 'unacknowledged'): void {
  for (const row of of(db, machineId)) {
    if (row.state === 'sent' || (which === 'all' && row.state === 'received'))
      db.put(db.outbox, row.id, { ...row, state: 'pending' });
  }
}

/** Lists commands of workers that have not ended, oldest first. */
export function listSentCommands(db: MemoryDatabase, machineId: string): readonly SentCommand[] {
  return of(db, machineId)
    .filter(
      ({ state, sentEpoch }) => state === 'sent' || state === 'received' || (state === 'pending' && sentEpoch !== null),
    )
    .flatMap(({ id, workerId, body }) => (body.kind !== 'command' ? [] : [{ id, workerId, seq: body.seq }]))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** The first result of a command stays, and only that of the command that it is said to be. */
export function finishCommands(
  db: MemoryDatabase,
  finished: readonly FinishedCommand[],
  now: number,
): readonly FinishOutcome[] {
  return finished.map((one) => finish(db, one, now));
}

function finish(db: MemoryDatabase, { id, machineId, command, result }: FinishedCommand, now: number): FinishOutcome {
  const row = db.outbox.get(id) ?? db.ended.get(id);
  if (row === undefined) return 'unknown';
  const { body } = row;
  const isThis =
    command === null
      ? body.kind === 'query'
      : body.kind === 'command' && row.workerId === command.workerId && body.seq === command.seq;
  if (row.machineId !== machineId || !isThis) return 'foreign';
  if (row.state === 'done') return 'ended';
  end(db, { ...row, state: 'done', result, finishedAt: now });
  return 'finished';
}

/** Takes back what the policy has given up. */
export function dropCommandsBefore(db: MemoryDatabase, workerId: string, seq: number): void {
  for (const row of db.outbox.values()) {
    if (row.workerId === workerId && row.body.kind === 'command' && row.body.seq < seq)
      end(db, { ...row, state: 'dropped' });
  }
}

/** Ends the queries that have waited longer than so many of their time limits. */
export function expireQueries(
  db: MemoryDatabase,
  { limits, result }: { readonly limits: number; readonly result: QueryResult },
  now: number,
): void {
  for (const row of db.outbox.values())
    if (row.body.kind === 'query' && row.madeAt + row.timeoutMs * limits < now)
      end(db, { ...row, state: 'done', result, finishedAt: now });
}

/** @returns null as long as there is no result. */
export function commandResult(db: MemoryDatabase, id: string): CommandResult | QueryResult | null {
  return db.ended.get(id)?.result ?? null;
}

function end(db: MemoryDatabase, row: CommandRecord): void {
  db.remove(db.outbox, row.id);
  db.put(db.ended, row.id, row);
}

function of(db: MemoryDatabase, machineId: string): readonly CommandRecord[] {
  return [...db.outbox.values()].filter((row) => row.machineId === machineId);
}

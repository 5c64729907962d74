// The outbox: commands leave for a machine, and their results come back.
import type { CommandResult } from '@drover/core';
import type { QueryResult } from '@drover/protocol';
import { sql, type RawBuilder } from 'kysely';
import type {
  FinishedCommand,
  FinishOutcome,
  GivenCommand,
  NewCommand,
  PendingCommand,
  SentCommand,
} from '../port/commands.ts';
import type { MachineSession } from '../port/machines.ts';
import { send } from '../connection/pipeline.ts';
import { instant, json } from '../connection/values.ts';
import type { Db, Trx } from './db.ts';
import { change, find, has, isOneOf } from './steps/rows.ts';
import { givenAs, rowsOf, textOf } from './steps/given.ts';
import { addCommands, givenCommand } from './steps/commands.ts';

/** Puts commands into the outbox, in the transaction that decided them. */
export async function insertCommands(db: Trx, commands: readonly NewCommand[], now: number): Promise<void> {
  if (commands.length > 0) await send(db, addCommands(textOf(commands.map((command) => givenCommand(command, now)))));
}

/** Tells whether a command of this id was ever made, as far as it is kept. */
export async function hasCommand(db: Trx, id: string): Promise<boolean> {
  return (await find(db, 'commands', { id }, { columns: ['id'] })) !== null;
}

/** Machines for which commands wait that no connection has taken yet. */
export async function machinesWithCommands(db: Db): Promise<readonly string[]> {
  const rows = await db.selectFrom('commands').select('machineId').distinct().where('state', '=', 'pending').execute();
  return rows.map(({ machineId }) => machineId);
}

/**
 * Commands that this epoch of the machine has not been given, oldest first; marks them as sent in it. A connection that broke belongs to an
 * epoch that is over.
 */
export async function takeCommands(
  db: Db,
  machineId: string,
  epoch: number,
  limit: number,
): Promise<readonly PendingCommand[]> {
  const rows = await db
    .with('due', (due) =>
      due
        .selectFrom('commands')
        .select(['id', 'sentEpoch as before'])
        .where('machineId', '=', machineId)
        // An older connection of the machine, or one of a revoked machine, gets nothing.
        .where(isPresent({ machineId, epoch }))
        .where((where) =>
          where.or([
            where('state', '=', 'pending'),
            where.and([where('state', '=', 'sent'), where('sentEpoch', '<', epoch)]),
          ]),
        )
        .orderBy('id')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('commands')
    .from('due')
    .set({ state: 'sent', sentEpoch: epoch })
    .whereRef('commands.id', '=', 'due.id')
    .returning(['commands.id', 'workerId', 'body', 'settings', 'timeoutMs', 'createdAt as madeAt', 'due.before'])
    .execute();
  const taken = rows.map(({ before, ...row }) => ({ ...row, wasSent: before !== null }));
  return taken.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** Marks commands as acknowledged: they are in the machine's journal now, and are not sent again unless that journal is lost. */
export async function ackCommands(db: Db, { machineId, epoch }: MachineSession, ids: readonly string[]): Promise<void> {
  const theirs = sql<boolean>`${has('commands', { machineId })} and ${isPresent({ machineId, epoch })}
    and ${isOneOf('id', ids)} and state in ('pending', 'sent')`;
  if (ids.length > 0) await send(db, change('commands', theirs, { state: 'received' }));
}

/** Makes commands that a machine was sent ready to be sent again. */
export async function resendCommands(db: Db, machineId: string, which: 'all' | 'unacknowledged'): Promise<void> {
  const states = which === 'all' ? ['sent', 'received'] : ['sent'];
  const theirs = sql<boolean>`${has('commands', { machineId })} and ${isOneOf('state', states)}`;
  await send(db, change('commands', theirs, { state: 'pending' }));
}

/** Lists commands of workers that have not ended; a query is of no worker. Oldest first. */
export async function listSentCommands(db: Db, machineId: string): Promise<readonly SentCommand[]> {
  // Includes commands that are to be sent again: they may have arrived all the same.
  const { rows } = await sql<SentCommand>`select id, worker_id, seq from commands
    where machine_id = ${machineId} and ${IS_OPEN} and sent_epoch is not null and seq is not null order by id`.execute(
    db,
  );
  return rows;
}

/** Columns that are given of a result; a query has neither worker nor number. */
const FINISHED = givenAs('commands', ['id', 'machineId', 'workerId', 'seq', 'result']);

/**
 * Stores each result if the command is the one that the machine names; no command is named twice. The first result stays: a repeated one changes
 * nothing. @returns the outcomes, in this order.
 */
export async function finishCommands(
  db: Trx,
  finished: readonly FinishedCommand[],
  now: number,
): Promise<readonly FinishOutcome[]> {
  if (finished.length === 0) return [];
  const given = finished.map(({ id, machineId, command, result }) => {
    return { id, machineId, workerId: command?.workerId ?? null, seq: command?.seq ?? null, result };
  });
  // Queries have no number, and no two other commands of a worker have the same.
  const isThis = sql`commands.machine_id = given."machineId" and commands.seq is not distinct from given.seq
    and (given.seq is null or commands.worker_id = given."workerId")`;
  const { rows } = await sql<{ id: string; fits: boolean; isNew: boolean }>`
    with given as (${rowsOf(FINISHED, given)}), ended as (
      update commands set state = 'done', result = given.result, finished_at = ${instant(now)}
      from given where commands.id = given.id and ${isThis} and state <> 'done' returning commands.id
    )
    select commands.id, ${isThis} as fits, exists (select from ended where ended.id = commands.id) as "isNew"
    from commands join given on commands.id = given.id`.execute(db);
  const known = new Map(rows.map((row) => [row.id, row]));
  return finished.map(({ id }) => {
    const row = known.get(id);
    if (row === undefined) return 'unknown';
    if (!row.fits) return 'foreign';
    return row.isNew ? 'finished' : 'ended';
  });
}

/** Drops what the policy has given up: it is not sent any more. A late result is still stored. */
export async function dropCommandsBefore(db: Trx, workerId: string, seq: number): Promise<void> {
  const earlier = sql<boolean>`${has('commands', { workerId })} and seq < ${seq} and ${IS_OPEN}`;
  await send(db, change('commands', earlier, { state: 'dropped' }));
}

/** Ends the queries that have waited longer than so many of their time limits. */
export async function expireQueries(
  db: Db,
  { limits, result }: { readonly limits: number; readonly result: QueryResult },
  now: number,
): Promise<void> {
  await send(
    db,
    sql`update commands set state = 'done', result = ${json(result)}, finished_at = ${instant(now)}
      where seq is null and ${IS_OPEN}
        and created_at + timeout_ms * ${limits} * interval '1 ms' < ${instant(now)}`,
  );
}

/** @returns null as long as there is no result. */
export async function commandResult(db: Db, id: string): Promise<CommandResult | QueryResult | null> {
  return (await find(db, 'commands', { id }, { columns: ['result'] }))?.result ?? null;
}

/** Reads a command while it has not ended. */
export async function readGivenCommand(db: Db, machineId: string, id: string): Promise<GivenCommand | null> {
  return find(db, 'commands', { id, machineId }, { columns: ['body', 'settings'], end: sql`and ${IS_OPEN}` });
}

/** The command has not ended. */
const IS_OPEN = sql<boolean>`state in ('pending', 'sent', 'received')`;

/** Tests whether the machine's session is the present one, and the machine is not revoked. */
function isPresent({ machineId, epoch }: Pick<MachineSession, 'machineId' | 'epoch'>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from machines where id = ${machineId} and session_epoch = ${epoch} and revoked_at is null)`;
}

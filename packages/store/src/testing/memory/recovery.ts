// The recovery part of the store in memory: the port's names, bound to tables that a test owns.
import type { RecoveryStore, RecoveryTransaction } from '../../recovery-port.ts';
import type { MemoryDatabase } from './engine/database.ts';
import * as escalations from './escalations.ts';
import * as incidents from './incidents.ts';
import * as keeping from './keeping.ts';
import type { Session } from './engine/session.ts';
import type { Table } from './engine/table.ts';

/** What is read outside a transaction. */
export function recoveryReads(session: Session, db: MemoryDatabase): RecoveryStore {
  const again = session.again.bind(session);
  return {
    listIncidents: (filter) => again('listIncidents', () => incidents.listIncidents(db, filter)),
    listErrors: (filter) => again('listErrors', () => incidents.listErrors(db, filter)),
    listEpisodes: (filter) => again('listEpisodes', () => incidents.listEpisodes(db, filter)),
    readEscalation: (id) => again('readEscalation', () => db.escalations.get(id) ?? null),
    listEscalations: (filter) => again('listEscalations', () => escalations.listEscalations(db, filter)),
    readCheckpoint: (id) => again('readCheckpoint', () => db.checkpoints.get(id) ?? null),
    listCheckpoints: (filter) => again('listCheckpoints', () => keeping.listCheckpoints(db, filter)),
    readQueueItem: (id) => again('readQueueItem', () => db.queueItems.get(id) ?? null),
    listQueueItems: (filter) => again('listQueueItems', () => keeping.listQueueItems(db, filter)),
    listAccounts: () => again('listAccounts', () => keeping.listAccounts(db)),
  };
}

/** Runs one statement of a transaction. */
export type RunStatement = <T>(method: string, statement: () => T) => Promise<T>;

/** The row, held until the end of the transaction. One that is not there cannot be held. */
export function held<K, V extends object>(table: Table<K, V>, key: K): V | null {
  if (table.has(key)) table.lock(key);
  return table.get(key) ?? null;
}

/** What is done inside a transaction. */
export function bindRecovery(run: RunStatement, db: MemoryDatabase): RecoveryTransaction {
  return {
    insertIncident: (row) => run('insertIncident', () => incidents.insertIncident(db, row)),
    readIncident: (id) => run('readIncident', () => db.incidents.get(id) ?? null),
    saveIncident: (row) => run('saveIncident', () => incidents.saveIncident(db, row)),
    listIncidents: (filter) => run('listIncidents', () => incidents.listIncidents(db, filter)),
    insertError: (row) => run('insertError', () => incidents.insertError(db, row)),
    lastErrorOf: (id) => run('lastErrorOf', () => incidents.lastErrorOf(db, id)),
    markErrorsRecovered: (id, at) => run('markErrorsRecovered', () => incidents.markErrorsRecovered(db, id, at)),
    endLooseErrors: (which, end) => run('endLooseErrors', () => incidents.endLooseErrors(db, which, end)),
    insertEpisode: (row) => run('insertEpisode', () => incidents.insertEpisode(db, row)),
    listEpisodes: (filter) => run('listEpisodes', () => incidents.listEpisodes(db, filter)),
    lockName: (name) => run('lockName', () => db.names.lock(name)),
    openEscalation: (row) => run('openEscalation', () => escalations.openEscalation(db, row)),
    lockEscalation: (id) => run('lockEscalation', () => held(db.escalations, id)),
    saveEscalation: (row) => run('saveEscalation', () => escalations.saveEscalation(db, row)),
    listEscalations: (filter) => run('listEscalations', () => escalations.listEscalations(db, filter)),
    insertCheckpoint: (row) => run('insertCheckpoint', () => keeping.insertCheckpoint(db, row)),
    listCheckpoints: (filter) => run('listCheckpoints', () => keeping.listCheckpoints(db, filter)),
    deleteCheckpoints: (ids) => run('deleteCheckpoints', () => ids.forEach((id) => db.remove(db.checkpoints, id))),
    insertQueueItem: (row) => run('insertQueueItem', () => keeping.insertQueueItem(db, row)),
    listQueueItems: (filter) => run('listQueueItems', () => keeping.listQueueItems(db, filter)),
    lockOpenQueueItem: (id) => run('lockOpenQueueItem', () => keeping.lockOpenQueueItem(db, id)),
    lockQueueItem: (id) => run('lockQueueItem', () => held(db.queueItems, id)),
    saveQueueItem: (row) => run('saveQueueItem', () => keeping.saveQueueItem(db, row)),
    lockAccount: (key, now) => run('lockAccount', () => keeping.lockAccount(db, key, now)),
    readAccount: (key) => run('readAccount', () => db.accounts.get(key) ?? null),
    saveAccount: (row) => run('saveAccount', () => db.put(db.accounts, row.key, row)),
  };
}

// The recovery part of the store in memory: the port's names, bound to tables that a test owns.
import type { RecoveryStore, RecoveryTransaction } from '../recovery-port.ts';
import type { MemoryDatabase } from './database.ts';
import * as escalations from './escalations.ts';
import * as incidents from './incidents.ts';
import * as keeping from './keeping.ts';
import type { Session } from './session.ts';

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

/** What is done inside a transaction. One runs at a time, so a lock is a read. */
export function bindRecovery(session: Session, db: MemoryDatabase): RecoveryTransaction {
  const run = session.statement.bind(session);
  return {
    insertIncident: (row) => run('insertIncident', () => incidents.insertIncident(db, row)),
    readIncident: (id) => run('readIncident', () => db.incidents.get(id) ?? null),
    saveIncident: (row) => run('saveIncident', () => incidents.saveIncident(db, row)),
    listIncidents: (filter) => run('listIncidents', () => incidents.listIncidents(db, filter)),
    insertError: (row) => run('insertError', () => incidents.insertError(db, row)),
    lastErrorOf: (id) => run('lastErrorOf', () => incidents.lastErrorOf(db, id)),
    markErrorsRecovered: (id, at) => run('markErrorsRecovered', () => incidents.markErrorsRecovered(db, id, at)),
    insertEpisode: (row) => run('insertEpisode', () => incidents.insertEpisode(db, row)),
    listEpisodes: (filter) => run('listEpisodes', () => incidents.listEpisodes(db, filter)),
    lockName: () => run('lockName', () => {}),
    openEscalation: (row) => run('openEscalation', () => escalations.openEscalation(db, row)),
    lockEscalation: (id) => run('lockEscalation', () => db.escalations.get(id) ?? null),
    saveEscalation: (row) => run('saveEscalation', () => escalations.saveEscalation(db, row)),
    listEscalations: (filter) => run('listEscalations', () => escalations.listEscalations(db, filter)),
    insertCheckpoint: (row) => run('insertCheckpoint', () => keeping.insertCheckpoint(db, row)),
    listCheckpoints: (filter) => run('listCheckpoints', () => keeping.listCheckpoints(db, filter)),
    deleteCheckpoints: (ids) => run('deleteCheckpoints', () => ids.forEach((id) => db.remove(db.checkpoints, id))),
    insertQueueItem: (row) => run('insertQueueItem', () => keeping.insertQueueItem(db, row)),
    listQueueItems: (filter) => run('listQueueItems', () => keeping.listQueueItems(db, filter)),
    lockOpenQueueItem: (id) => run('lockOpenQueueItem', () => keeping.openQueueItem(db, id)),
    lockQueueItem: (id) => run('lockQueueItem', () => db.queueItems.get(id) ?? null),
    saveQueueItem: (row) => run('saveQueueItem', () => keeping.saveQueueItem(db, row)),
    lockAccount: (key, now) => run('lockAccount', () => keeping.lockAccount(db, key, now)),
    readAccount: (key) => run('readAccount', () => db.accounts.get(key) ?? null),
    saveAccount: (row) => run('saveAccount', () => db.put(db.accounts, row.key, row)),
  };
}

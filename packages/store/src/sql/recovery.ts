// The recovery part of the store on Postgres: the port's names, bound to the functions that hold the SQL.
import type { Kysely, Transaction } from 'kysely';
import type { RecoveryStore, RecoveryTransaction } from '../recovery-port.ts';
import type { Database } from '../schema.ts';
import * as accounts from './accounts.ts';
import * as checkpoints from './checkpoints.ts';
import * as errors from './errors.ts';
import * as escalations from './escalations.ts';
import * as incidents from './incidents.ts';
import * as items from './queue.ts';

type Again = <T>(unit: () => Promise<T>) => Promise<T>;

/** What is read outside a transaction; each read is repeated by `again`. */
export function recoveryReads(db: Kysely<Database>, again: Again): RecoveryStore {
  return {
    listIncidents: (filter) => again(() => incidents.listIncidents(db, filter)),
    listErrors: (filter) => again(() => errors.listErrors(db, filter)),
    listEpisodes: (filter) => again(() => errors.listEpisodes(db, filter)),
    readEscalation: (id) => again(() => escalations.readEscalation(db, id, false)),
    listEscalations: (filter) => again(() => escalations.listEscalations(db, filter)),
    readCheckpoint: (id) => again(() => checkpoints.readCheckpoint(db, id)),
    listCheckpoints: (filter) => again(() => checkpoints.listCheckpoints(db, filter)),
    readQueueItem: (id) => again(() => items.readQueueItem(db, id, false)),
    listQueueItems: (filter) => again(() => items.listQueueItems(db, filter)),
    listAccounts: () => again(() => accounts.listAccounts(db)),
  };
}

/** What is done inside a transaction. */
export function bindRecovery(trx: Transaction<Database>): RecoveryTransaction {
  return {
    insertIncident: (row) => incidents.insertIncident(trx, row),
    readIncident: (id) => incidents.readIncident(trx, id),
    saveIncident: (row) => incidents.saveIncident(trx, row),
    listIncidents: (filter) => incidents.listIncidents(trx, filter),
    insertError: (row) => errors.insertError(trx, row),
    lastErrorOf: (incidentId) => errors.lastErrorOf(trx, incidentId),
    markErrorsRecovered: (incidentId, at) => errors.markErrorsRecovered(trx, incidentId, at),
    endLooseErrors: (which, end) => errors.endLooseErrors(trx, which, end),
    insertEpisode: (row) => errors.insertEpisode(trx, row),
    listEpisodes: (filter) => errors.listEpisodes(trx, filter),
    lockName: (name) => escalations.lockName(trx, name),
    openEscalation: (row) => escalations.openEscalation(trx, row),
    lockEscalation: (id) => escalations.readEscalation(trx, id, true),
    saveEscalation: (row) => escalations.saveEscalation(trx, row),
    listEscalations: (filter) => escalations.listEscalations(trx, filter),
    insertCheckpoint: (row) => checkpoints.insertCheckpoint(trx, row),
    listCheckpoints: (filter) => checkpoints.listCheckpoints(trx, filter),
    deleteCheckpoints: (ids) => checkpoints.deleteCheckpoints(trx, ids),
    insertQueueItem: (row) => items.insertQueueItem(trx, row),
    listQueueItems: (filter) => items.listQueueItems(trx, filter),
    lockOpenQueueItem: (id) => items.lockOpenQueueItem(trx, id),
    lockQueueItem: (id) => items.readQueueItem(trx, id, true),
    saveQueueItem: (row) => items.saveQueueItem(trx, row),
    lockAccount: (key, now) => accounts.lockAccount(trx, key, now),
    readAccount: (key) => accounts.readAccount(trx, key),
    saveAccount: (row) => accounts.saveAccount(trx, row),
  };
}

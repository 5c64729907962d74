// The store in memory: the port's names, bound to tables that a test owns. Repeats the same units as the SQL store.
import type { Store, StoreTransaction } from '../../port.ts';
import * as audit from './people/audit.ts';
import * as commands from './commands.ts';
import type { MemoryDatabase } from './engine/database.ts';
import * as due from './due-work.ts';
import * as machines from './machines.ts';
import { prune, thinHistory } from './prune.ts';
import { bindRecovery, held, recoveryReads } from './recovery.ts';
import type { RunStatement } from './recovery.ts';
import * as policies from './policies.ts';
import * as reviews from './reviews.ts';
import * as rows from './rows.ts';
import * as tokens from './people/tokens.ts';
import { Session } from './engine/session.ts';
import type { SessionOptions } from './engine/session.ts';
import type { Transaction } from './engine/transaction.ts';

/** A client of a database that a test can kill. */
export interface StoreClient extends Store {
  /** Dies: open transactions are undone, and no promise of this client settles any more. */
  close(): void;
}

/**
 * Opens one client of a database in memory, for tests and simulations. It uses no clock and no chance but those that it
 * is given, and fails exactly when `fault` says so.
 */
export function createMemoryStore(options: SessionOptions): StoreClient {
  const session = new Session(options);
  const { database: db } = options;
  const again = session.again.bind(session);
  const once = session.once.bind(session);
  return {
    ...recoveryReads(session, db),
    close: () => session.close(),
    transaction: (work) => session.transaction((tx) => work(bind(session, tx, db))),
    ping: () => once('ping', () => {}),
    readClock: () => once('readClock', () => db.now()),
    notify: () => once('notify', () => {}),
    upsertProject: (project) => again('upsertProject', () => rows.upsertProject(db, project)),
    listProjects: () => again('listProjects', () => rows.listProjects(db)),
    saveReview: (review) => again('saveReview', () => reviews.saveReview(db, review)),
    listReviews: (reviewer) => again('listReviews', () => reviews.listReviews(db, reviewer)),
    fleetSeed: (fresh) => again('fleetSeed', () => machines.fleetSeed(db, fresh)),
    createJoinToken: (token) => once('createJoinToken', () => machines.createJoinToken(db, token)),
    joinMachine: (join) => again('joinMachine', () => machines.joinMachine(db, join)),
    hello: (hello) => once('hello', () => machines.hello(db, hello)),
    machineByToken: (sha256, now) => again('machineByToken', () => machines.machineByToken(db, sha256, now)),
    readMachine: (id) => again('readMachine', () => machines.readMachine(db, id)),
    listMachines: () => again('listMachines', () => machines.listMachines(db)),
    touchMachine: (session, now) => again('touchMachine', () => machines.touchMachine(db, session, now)),
    takeCommands: (id, epoch, limit) => once('takeCommands', () => commands.takeCommands(db, id, { epoch, limit })),
    ackCommands: (session, ids) => again('ackCommands', () => commands.ackCommands(db, session, ids)),
    resendCommands: (id, which) => again('resendCommands', () => commands.resendCommands(db, id, which)),
    commandResult: (id) => again('commandResult', () => commands.commandResult(db, id)),
    readWorker: (id) => again('readWorker', () => db.workers.get(id) ?? null),
    workerOfOrder: (orderId) => again('workerOfOrder', () => rows.workerOfOrder(db, orderId)),
    listWorkers: (filter = {}) => again('listWorkers', () => rows.listWorkers(db, filter)),
    listEvents: (filter) => again('listEvents', () => rows.listEvents(db, filter)),
    listDecisions: (id, page) => again('listDecisions', () => policies.listDecisions(db, id, page)),
    replayableFrom: (id, since) => again('replayableFrom', () => policies.replayableFrom(db, id, since)),
    listPolicies: () => again('listPolicies', () => policies.listPolicies(db)),
    listReceipts: (id, limit) => again('listReceipts', () => rows.listReceipts(db, id, limit)),
    claimDueWork: (now, lease) => once('claimDueWork', () => due.claimDueWork(db, now, lease)),
    nextDueAt: () => once('nextDueAt', () => due.nextDueAt(db)),
    readProfiles: () => again('readProfiles', () => rows.readProfiles(db)),
    listAudit: (filter) => again('listAudit', () => audit.listAudit(db, filter)),
    auditPage: (after, limit) => again('auditPage', () => audit.auditPage(db, after, limit)),
    auditHeads: () => again('auditHeads', () => audit.auditHeads(db)),
    createApiToken: (token, now) => again('createApiToken', () => tokens.createApiToken(db, token, now)),
    apiTokenBySha256: (sha256) =>
      again('apiTokenBySha256', () => [...db.apiTokens.values()].find((token) => token.sha256 === sha256) ?? null),
    listApiTokens: () => again('listApiTokens', () => tokens.listApiTokens(db)),
    touchApiToken: (id, now) => again('touchApiToken', () => tokens.touchApiToken(db, id, now)),
    deleteApiToken: (id) => again('deleteApiToken', () => tokens.deleteApiToken(db, id)),
  };
}

function bind(session: Session, tx: Transaction, db: MemoryDatabase): StoreTransaction {
  const run: RunStatement = (method, statement) => session.statement(tx, { method, run: statement });
  return {
    ...bindRecovery(run, db),
    lockWorker: (id, on) => run('lockWorker', () => rows.lockWorker(db, id, on)),
    lockProject: (id) => run('lockProject', () => held(db.projects, id)),
    readProject: (id) => run('readProject', () => db.projects.get(id) ?? null),
    readMachine: (id) => run('readMachine', () => machines.readMachine(db, id)),
    listWorkers: (filter) => run('listWorkers', () => rows.listWorkers(db, filter)),
    machinesOfWorkers: (ids) => run('machinesOfWorkers', () => rows.machinesOfWorkers(db, ids)),
    findReview: (id, reviewer) => run('findReview', () => reviews.findReview(db, id, reviewer)),
    dropReviews: (id) => run('dropReviews', () => reviews.dropReviews(db, id)),
    setMergeWorker: (id, workerId) =>
      run('setMergeWorker', () => rows.changeProject(db, id, { mergeWorkerId: workerId })),
    insertWorker: (row) => run('insertWorker', () => rows.insertWorker(db, row)),
    saveWorker: (row, now) => run('saveWorker', () => rows.saveWorker(db, row, now)),
    saveDecision: ({ row, event, audit: entry }, now) =>
      run('saveDecision', () => {
        rows.saveWorker(db, row, now);
        due.setDeadlines(db, row.id, row.state.deadlines);
        rows.insertEvent(db, event);
        if (entry !== undefined) audit.appendAudit(db, entry);
      }),
    deleteWorker: (id) => run('deleteWorker', () => rows.deleteWorker(db, id)),
    revokeMachine: (id, now) => run('revokeMachine', () => machines.revokeMachine(db, id, now)),
    rotateMachine: (id, now) => run('rotateMachine', () => machines.rotateMachine(db, id, now)),
    removeMachine: (id) => run('removeMachine', () => machines.removeMachine(db, id)),
    insertObservation: (seen) => run('insertObservation', () => rows.insertObservation(db, seen)),
    insertEvent: (event) => run('insertEvent', () => rows.insertEvent(db, event)),
    keepPolicy: (policy) => run('keepPolicy', () => policies.keepPolicy(db, policy)),
    audit: (entry) => run('audit', () => audit.appendAudit(db, entry)),
    putProfile: (name, document) => run('putProfile', () => rows.putProfile(db, name, document)),
    listApiTokens: () => run('listApiTokens', () => tokens.listApiTokens(db)),
    insertApiToken: (token, now) => run('insertApiToken', () => tokens.insertApiToken(db, token, now)),
    deleteApiToken: (id) => run('deleteApiToken', () => tokens.deleteApiToken(db, id)),
    issueWorkerToken: (token, now) => run('issueWorkerToken', () => tokens.issueWorkerToken(db, token, now)),
    findOrder: (workerId, orderId) => run('findOrder', () => rows.findOrder(db, workerId, orderId)),
    causeOfOrder: (workerId, orderId) => run('causeOfOrder', () => rows.causeOfOrder(db, workerId, orderId)),
    insertCommands: (all) => run('insertCommands', () => commands.insertCommands(db, all)),
    finishCommand: (finished, now) => run('finishCommand', () => commands.finishCommand(db, finished, now)),
    dropCommandsBefore: (id, seq) => run('dropCommandsBefore', () => commands.dropCommandsBefore(db, id, seq)),
    setDeadlines: (id, deadlines) => run('setDeadlines', () => due.setDeadlines(db, id, deadlines)),
    schedule: (work) => run('schedule', () => due.schedule(db, work)),
    finishDueWork: (work) => run('finishDueWork', () => due.finishDueWork(db, work)),
    prune: (before) => run('prune', () => prune(db, before)),
    thinHistory: (before) => run('thinHistory', () => thinHistory(db, before)),
    insertReceipt: (workerId, receipt) =>
      run('insertReceipt', () => db.put(db.receipts, db.nextId(), { ...receipt, workerId })),
    insertTask: (task) => run('insertTask', () => rows.insertTask(db, task)),
    setTaskStatus: (id, status) => run('setTaskStatus', () => rows.setTaskStatus(db, id, status)),
  };
}

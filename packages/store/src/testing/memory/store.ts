// The store in memory: the port's names, bound to tables that a test owns. Repeats the same units as the SQL store.
import type { Store, StoreTransaction } from '../../port/store.ts';
import * as accounts from './accounts.ts';
import * as checkpoints from './checkpoints.ts';
import * as history from './history.ts';
import * as profiles from './profiles.ts';
import * as projects from './projects.ts';
import * as queue from './queue.ts';
import * as tasks from './tasks.ts';
import * as workers from './workers.ts';
import * as audit from './people/audit.ts';
import * as deliveries from './channels/deliveries.ts';
import * as people from './channels/people.ts';
import * as commands from './commands.ts';
import type { MemoryDatabase } from './engine/database.ts';
import * as due from './due-work.ts';
import * as machines from './machines.ts';
import { prune, thinHistory } from './prune.ts';
import * as escalations from './escalations.ts';
import * as incidents from './incidents.ts';
import { held } from './engine/table.ts';
import * as policies from './policies.ts';
import * as parcels from './parcels.ts';
import * as terminals from './terminals.ts';
import * as placeTests from './channels/place-tests.ts';
import * as silences from './channels/silences.ts';
import { bindChannels } from './channels/bind.ts';
import * as announcements from './public/announcements.ts';
import * as webhooks from './public/webhooks.ts';
import * as keptAnswers from './public/kept-answers.ts';
import * as reviews from './reviews.ts';
import * as tokens from './people/tokens.ts';
import { Session } from './engine/session.ts';
import type { RunStatement, SessionOptions } from './engine/session.ts';
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
    close: () => session.close(),
    transaction: (work) => session.transaction((tx) => work(bind(session, tx, db))),
    ping: () => once('ping', () => {}),
    readClock: () => once('readClock', () => db.now()),
    notify: () => once('notify', () => {}),
    upsertProject: (project) => again('upsertProject', () => projects.upsertProject(db, project)),
    listProjects: () => again('listProjects', () => projects.listProjects(db)),
    listTasks: (page) => again('listTasks', () => tasks.listTasks(db, page)),
    saveReview: (review) => again('saveReview', () => reviews.saveReview(db, review)),
    listReviews: (reviewer) => again('listReviews', () => reviews.listReviews(db, reviewer)),
    fleetSeed: (fresh) => again('fleetSeed', () => machines.fleetSeed(db, fresh)),
    createJoinToken: (token) => once('createJoinToken', () => machines.createJoinToken(db, token)),
    joinMachine: (join) => again('joinMachine', () => machines.joinMachine(db, join)),
    hello: (hello) => once('hello', () => machines.hello(db, hello)),
    machineByToken: (sha256, now) => again('machineByToken', () => machines.machineByToken(db, sha256, now)),
    readMachine: (id) => again('readMachine', () => machines.readMachine(db, id)),
    listMachines: () => again('listMachines', () => machines.listMachines(db)),
    countMachines: () => again('countMachines', () => db.machines.size),
    listGateways: () => again('listGateways', () => machines.listGateways(db)),
    listRefusedReports: () => again('listRefusedReports', () => history.listRefusedReports(db)),
    listAccess: (ids) => again('listAccess', () => machines.listAccess(db, ids)),
    touchMachine: (session, now, condition) =>
      again('touchMachine', () => machines.touchMachine(db, session, { now, condition })),
    takeCommands: (id, epoch, limit) => once('takeCommands', () => commands.takeCommands(db, id, { epoch, limit })),
    machinesWithCommands: () => again('machinesWithCommands', () => commands.machinesWithCommands(db)),
    ackCommands: (session, ids) => again('ackCommands', () => commands.ackCommands(db, session, ids)),
    resendCommands: (id, which) => again('resendCommands', () => commands.resendCommands(db, id, which)),
    listSentCommands: (id) => again('listSentCommands', () => commands.listSentCommands(db, id)),
    expireQueries: (expired, now) => again('expireQueries', () => commands.expireQueries(db, expired, now)),
    commandResult: (id) => again('commandResult', () => commands.commandResult(db, id)),
    readWorker: (id) => again('readWorker', () => db.workers.get(id) ?? null),
    workerOfRequest: (requestId) => again('workerOfRequest', () => history.workerOfRequest(db, requestId)),
    eventOfRequest: (workerId, requestId) =>
      again('eventOfRequest', () => history.eventOfRequest(db, workerId, requestId)),
    listWorkers: (filter = {}) => again('listWorkers', () => workers.listWorkers(db, filter)),
    listRoster: (filter = {}) => again('listRoster', () => workers.listWorkers(db, filter)),
    countWorkers: () => again('countWorkers', () => workers.countWorkers(db)),
    listEvents: (filter) => again('listEvents', () => history.listEvents(db, filter)),
    followEvents: (filter) => again('followEvents', () => history.followEvents(db, filter)),
    listDecisions: (id, page) => again('listDecisions', () => policies.listDecisions(db, id, page)),
    replayableFrom: (id, since) => again('replayableFrom', () => policies.replayableFrom(db, id, since)),
    listPolicies: () => again('listPolicies', () => policies.listPolicies(db)),
    listReceipts: (id, limit) => again('listReceipts', () => history.listReceipts(db, id, limit)),
    claimDueWork: (now, lease) => once('claimDueWork', () => due.claimDueWork(db, now, lease)),
    nextDueAt: (now) => once('nextDueAt', () => due.nextDueAt(db, now)),
    noteDueProblem: (work, problem) => again('noteDueProblem', () => due.noteDueProblem(db, work, problem)),
    listFailingWork: (triesMin, limit) => again('listFailingWork', () => due.listFailingWork(db, triesMin, limit)),
    readProfiles: () => again('readProfiles', () => profiles.readProfiles(db)),
    listAudit: (filter) => again('listAudit', () => audit.listAudit(db, filter)),
    auditPage: (after, limit) => again('auditPage', () => audit.auditPage(db, after, limit)),
    auditHeads: () => again('auditHeads', () => audit.auditHeads(db)),
    createApiToken: (token, now) => again('createApiToken', () => tokens.createApiToken(db, token, now)),
    apiTokenBySha256: (sha256) =>
      again('apiTokenBySha256', () => [...db.apiTokens.values()].find((token) => token.sha256 === sha256) ?? null),
    listApiTokens: () => again('listApiTokens', () => tokens.listApiTokens(db)),
    touchApiToken: (id, now) => again('touchApiToken', () => tokens.touchApiToken(db, id, now)),
    deleteApiToken: (id) => again('deleteApiToken', () => tokens.deleteApiToken(db, id)),
    listIncidents: (filter) => again('listIncidents', () => incidents.listIncidents(db, filter)),
    listErrors: (filter) => again('listErrors', () => incidents.listErrors(db, filter)),
    listEpisodes: (filter) => again('listEpisodes', () => incidents.listEpisodes(db, filter)),
    readEscalation: (id) => again('readEscalation', () => db.escalations.get(id) ?? null),
    listEscalations: (filter) => again('listEscalations', () => escalations.listEscalations(db, filter)),
    readResponse: (requestId) => again('readResponse', () => db.responses.get(requestId) ?? null),
    listResponses: (escalationId) => again('listResponses', () => escalations.listResponses(db, escalationId)),
    readCheckpoint: (id) => again('readCheckpoint', () => db.checkpoints.get(id) ?? null),
    listCheckpoints: (filter) => again('listCheckpoints', () => checkpoints.listCheckpoints(db, filter)),
    readQueueItem: (id) => again('readQueueItem', () => db.queueItems.get(id) ?? null),
    listQueueItems: (filter) => again('listQueueItems', () => queue.listQueueItems(db, filter)),
    listAccounts: () => again('listAccounts', () => accounts.listAccounts(db)),
    readParcel: (key) => again('readParcel', () => parcels.readParcel(db, key)),
    saveChunk: (key, chunk) => again('saveChunk', () => parcels.saveChunk(db, key, chunk)),
    readChunk: (key, number) => again('readChunk', () => parcels.readChunk(db, key, number)),
    followAnnouncements: (after, limit) =>
      again('followAnnouncements', () => announcements.followAnnouncements(db, after, limit)),
    listWebhookEndpoints: () => again('listWebhookEndpoints', () => webhooks.listWebhookEndpoints(db)),
    leaseWebhookEndpoint: (id, lease) =>
      again('leaseWebhookEndpoint', () => webhooks.leaseWebhookEndpoint(db, id, lease)),
    freeWebhookEndpoint: (id, holder, from) =>
      again('freeWebhookEndpoint', () => webhooks.freeWebhookEndpoint(db, id, { holder, from })),
    dueWebhookDeliveries: (id, now, limit) =>
      again('dueWebhookDeliveries', () => webhooks.dueWebhookDeliveries(db, id, { now, limit })),
    listWebhookDeliveries: (filter) => again('listWebhookDeliveries', () => webhooks.listWebhookDeliveries(db, filter)),
    listWebhookAttempts: (ids) => again('listWebhookAttempts', () => webhooks.listWebhookAttempts(db, ids)),
    claimKey: (request) => again('claimKey', () => keptAnswers.claimKey(db, request)),
    keepAnswer: (which, answer) => again('keepAnswer', () => keptAnswers.keepAnswer(db, which, answer)),
    readGivenCommand: (machineId, id) => again('readGivenCommand', () => commands.readGivenCommand(db, machineId, id)),
    joinTerminal: (join) => once('joinTerminal', () => terminals.joinTerminal(db, join)),
    meetTerminal: (meet) => once('meetTerminal', () => terminals.meetTerminal(db, meet)),
    carry: () => once('carry', () => {}),
    letRead: (key, reader) => again('letRead', () => parcels.letRead(db, key, reader)),
    isParcelNamed: (id, use) => again('isParcelNamed', () => parcels.isParcelNamed(db, id, use)),
    listPeople: () => again('listPeople', () => people.listPeople(db)),
    listIdentities: () => again('listIdentities', () => people.listIdentities(db)),
    personOf: (channel, subject) => again('personOf', () => people.personOf(db, channel, subject)),
    listPlaces: () => again('listPlaces', () => people.listPlaces(db)),
    listSilences: (now) => again('listSilences', () => silences.listSilences(db, now)),
    listChannelLeases: () => again('listChannelLeases', () => deliveries.listChannelLeases(db)),
    listFailingDeliveries: (limit) => again('listFailingDeliveries', () => deliveries.listFailingDeliveries(db, limit)),
    holdChannel: (claim) => again('holdChannel', () => deliveries.holdChannel(db, claim)),
    releaseChannel: (channel, holder) => again('releaseChannel', () => deliveries.releaseChannel(db, channel, holder)),
    wantEverywhere: (channel, now) => again('wantEverywhere', () => deliveries.wantEverywhere(db, channel, now)),
    claimDeliveries: (claim, limit) => once('claimDeliveries', () => deliveries.claimDeliveries(db, claim, limit)),
    endDelivery: (key, end, now) => again('endDelivery', () => deliveries.endDelivery(db, key, { end, now })),
    listDeliveries: (id) => again('listDeliveries', () => deliveries.listDeliveries(db, id)),
    beginPlaceTests: (tests, now) => again('beginPlaceTests', () => placeTests.beginPlaceTests(db, tests, now)),
    takePlaceTests: (channel, now) => once('takePlaceTests', () => placeTests.takePlaceTests(db, channel, now)),
    endPlaceTest: (id, end) => again('endPlaceTest', () => placeTests.endPlaceTest(db, id, end)),
    readPlaceTest: (id) => again('readPlaceTest', () => placeTests.readPlaceTest(db, id)),
  };
}

function bind(session: Session, tx: Transaction, db: MemoryDatabase): StoreTransaction {
  const run: RunStatement = (method, statement) => session.statement(tx, { method, run: statement });
  return {
    lockWorker: (id, on) => run('lockWorker', () => workers.lockWorker(db, id, on)),
    lockWorkers: (ids, on) => run('lockWorkers', () => workers.lockWorkers(db, ids, on)),
    lockProject: (id) => run('lockProject', () => projects.lockProject(db, id)),
    lockProjectNamed: (name) => run('lockProjectNamed', () => projects.lockProjectNamed(db, name)),
    saveProject: (project) => run('saveProject', () => projects.upsertProject(db, project)),
    removeProject: (id, now) => run('removeProject', () => projects.removeProject(db, id, now)),
    readProject: (id) => run('readProject', () => db.projects.get(id) ?? null),
    readMachine: (id) => run('readMachine', () => machines.readMachine(db, id)),
    listMachines: () => run('listMachines', () => machines.listMachines(db)),
    addSshMachine: (machine) => run('addSshMachine', () => machines.addSshMachine(db, machine)),
    saveSsh: (id, ssh) => run('saveSsh', () => machines.saveSsh(db, id, ssh)),
    handMachineOver: (id, publicKey) => run('handMachineOver', () => machines.handMachineOver(db, id, publicKey)),
    listWorkers: (filter) => run('listWorkers', () => workers.listWorkers(db, filter)),
    listRoster: (filter) => run('listRoster', () => workers.listWorkers(db, filter)),
    machinesOfWorkers: (ids) => run('machinesOfWorkers', () => workers.machinesOfWorkers(db, ids)),
    findReview: (id, reviewer) => run('findReview', () => reviews.findReview(db, id, reviewer)),
    dropReviews: (id) => run('dropReviews', () => reviews.dropReviews(db, id)),
    setMergeWorker: (id, workerId) =>
      run('setMergeWorker', () => projects.changeProject(db, id, { mergeWorkerId: workerId })),
    setTrust: (id, trust) => run('setTrust', () => projects.changeProject(db, id, { trust })),
    insertWebhookEndpoint: (row) => run('insertWebhookEndpoint', () => webhooks.insertWebhookEndpoint(db, row)),
    lockWebhookEndpoint: (id) => run('lockWebhookEndpoint', () => webhooks.lockWebhookEndpoint(db, id)),
    saveWebhookEndpoint: (row) => run('saveWebhookEndpoint', () => webhooks.saveWebhookEndpoint(db, row)),
    deleteWebhookEndpoint: (id) => run('deleteWebhookEndpoint', () => webhooks.deleteWebhookEndpoint(db, id)),
    insertWebhookDeliveries: (rows) => run('insertWebhookDeliveries', () => webhooks.insertWebhookDeliveries(db, rows)),
    saveWebhookDelivery: (row) => run('saveWebhookDelivery', () => webhooks.saveWebhookDelivery(db, row)),
    insertWebhookAttempt: (row) => run('insertWebhookAttempt', () => webhooks.insertWebhookAttempt(db, row)),
    readWebhookDelivery: (id) => run('readWebhookDelivery', () => db.webhookDeliveries.get(id) ?? null),
    insertWorker: (row) => run('insertWorker', () => workers.insertWorker(db, row)),
    saveWorker: (row, now) => run('saveWorker', () => workers.saveWorker(db, row, now)),
    saveDecisions: (decisions) =>
      run('saveDecisions', () => {
        for (const { row, event, commands: all, audit: entry } of decisions) {
          commands.insertCommands(db, all, event.at);
          workers.saveWorker(db, row, event.at);
          due.setDeadlines(db, row.id, row.state.deadlines);
          history.insertEvent(db, event);
          if (entry !== undefined) audit.appendAudit(db, entry);
        }
      }),
    deleteWorker: (id) => run('deleteWorker', () => workers.deleteWorker(db, id)),
    saveCheckout: (of, checkout) => run('saveCheckout', () => machines.saveCheckout(db, of, checkout)),
    revokeMachine: (id, now) => run('revokeMachine', () => machines.revokeMachine(db, id, now)),
    rotateMachine: (id, now) => run('rotateMachine', () => machines.rotateMachine(db, id, now)),
    saveCordon: (id, cordon) => run('saveCordon', () => machines.saveCordon(db, id, cordon)),
    saveTerms: (id, terms) => run('saveTerms', () => machines.saveTerms(db, id, terms)),
    removeMachine: (id) => run('removeMachine', () => machines.removeMachine(db, id)),
    receiveReports: (from, seqs) => run('receiveReports', () => history.receiveReports(db, from, seqs)),
    insertObservations: (all) => run('insertObservations', () => history.insertObservations(db, all)),
    countRefusedReports: (id, refused, now) =>
      run('countRefusedReports', () => history.countRefusedReports(db, id, { refused, now })),
    insertEvent: (event) => run('insertEvent', () => history.insertEvent(db, event)),
    keepPolicy: (policy) => run('keepPolicy', () => policies.keepPolicy(db, policy)),
    audit: (entry) => run('audit', () => audit.appendAudit(db, entry)),
    putProfile: (name, document) => run('putProfile', () => profiles.putProfile(db, name, document)),
    listApiTokens: () => run('listApiTokens', () => tokens.listApiTokens(db)),
    insertApiToken: (token, now) => run('insertApiToken', () => tokens.insertApiToken(db, token, now)),
    deleteApiToken: (id) => run('deleteApiToken', () => tokens.deleteApiToken(db, id)),
    setApiTokenEnd: (id, end) => run('setApiTokenEnd', () => tokens.setApiTokenEnd(db, id, end)),
    issueWorkerToken: (token, now) => run('issueWorkerToken', () => tokens.issueWorkerToken(db, token, now)),
    findReply: (workerId, requestId) => run('findReply', () => history.findReply(db, workerId, requestId)),
    causeOfRequest: (workerId, requestId) =>
      run('causeOfRequest', () => history.causeOfRequest(db, workerId, requestId)),
    insertCommands: (all, now) => run('insertCommands', () => commands.insertCommands(db, all, now)),
    hasCommand: (id) => run('hasCommand', () => commands.hasCommand(db, id)),
    finishCommand: (finished, now) => run('finishCommand', () => commands.finishCommand(db, finished, now)),
    finishCommands: (all, now) => run('finishCommand', () => all.map((one) => commands.finishCommand(db, one, now))),
    dropCommandsBefore: (id, seq) => run('dropCommandsBefore', () => commands.dropCommandsBefore(db, id, seq)),
    setDeadlines: (id, deadlines) => run('setDeadlines', () => due.setDeadlines(db, id, deadlines)),
    schedule: (work) => run('schedule', () => due.schedule(db, work)),
    finishDueWork: (work) => run('finishDueWork', () => due.finishDueWork(db, work)),
    prune: (before) => run('prune', () => prune(db, before)),
    thinHistory: (before) => run('thinHistory', () => thinHistory(db, before)),
    insertReceipts: (rows) => run('insertReceipts', () => rows.forEach((row) => db.put(db.receipts, db.nextId(), row))),
    insertTask: (task) => run('insertTask', () => tasks.insertTask(db, task)),
    setTaskStatus: (id, status, now) => run('setTaskStatus', () => tasks.setTaskStatus(db, { id, status, now })),
    readIncident: (id) => run('readIncident', () => db.incidents.get(id) ?? null),
    saveIncident: (row) => run('saveIncident', () => incidents.saveIncident(db, row)),
    saveIncidents: (rows) => run('saveIncidents', () => rows.forEach((row) => incidents.saveIncident(db, row))),
    listIncidents: (filter) => run('listIncidents', () => incidents.listIncidents(db, filter)),
    insertError: (row) => run('insertError', () => incidents.insertError(db, row)),
    insertErrors: (rows) => run('insertErrors', () => rows.forEach((row) => incidents.insertError(db, row))),
    saveEvidence: (id, evidence) => run('saveEvidence', () => incidents.saveEvidence(db, id, evidence)),
    readError: (id) => run('readError', () => db.errors.get(id) ?? null),
    lastErrorOf: (id) => run('lastErrorOf', () => incidents.lastErrorOf(db, id)),
    markErrorsRecovered: (id, at) => run('markErrorsRecovered', () => incidents.markErrorsRecovered(db, id, at)),
    endLooseErrors: (which, end) => run('endLooseErrors', () => incidents.endLooseErrors(db, which, end)),
    insertEpisodes: (rows) => run('insertEpisodes', () => rows.forEach((row) => incidents.insertEpisode(db, row))),
    listEpisodes: (filter) => run('listEpisodes', () => incidents.listEpisodes(db, filter)),
    lockName: (name) => run('lockName', () => db.names.lock(name)),
    openEscalation: (row) => run('openEscalation', () => escalations.openEscalation(db, row)),
    addEscalation: (row) => run('addEscalation', () => escalations.addEscalation(db, row)),
    lockEscalation: (id) => run('lockEscalation', () => held(db.escalations, id)),
    saveEscalation: (row) => run('saveEscalation', () => escalations.saveEscalation(db, row)),
    listEscalations: (filter) => run('listEscalations', () => escalations.listEscalations(db, filter)),
    saveOncall: (id, oncall) => run('saveOncall', () => escalations.saveOncall(db, id, oncall)),
    readResponse: (requestId) => run('readResponse', () => db.responses.get(requestId) ?? null),
    insertResponse: (response) => run('insertResponse', () => escalations.insertResponse(db, response)),
    insertCheckpoint: (row) => run('insertCheckpoint', () => checkpoints.insertCheckpoint(db, row)),
    listCheckpoints: (filter) => run('listCheckpoints', () => checkpoints.listCheckpoints(db, filter)),
    setCheckpointMachine: (id, machineId) =>
      run('setCheckpointMachine', () => checkpoints.setCheckpointMachine(db, id, machineId)),
    deleteCheckpoints: (ids) => run('deleteCheckpoints', () => ids.forEach((id) => db.remove(db.checkpoints, id))),
    insertQueueItem: (row) => run('insertQueueItem', () => queue.insertQueueItem(db, row)),
    listQueueItems: (filter) => run('listQueueItems', () => queue.listQueueItems(db, filter)),
    lockOpenQueueItem: (id) => run('lockOpenQueueItem', () => queue.lockOpenQueueItem(db, id)),
    lockQueueItem: (id) => run('lockQueueItem', () => held(db.queueItems, id)),
    saveQueueItem: (row) => run('saveQueueItem', () => queue.saveQueueItem(db, row)),
    lockAccount: (key, now) => run('lockAccount', () => accounts.lockAccount(db, key, now)),
    readAccount: (key) => run('readAccount', () => db.accounts.get(key) ?? null),
    listAccounts: () => run('listAccounts', () => accounts.listAccounts(db)),
    saveAccount: (row) => run('saveAccount', () => db.put(db.accounts, row.key, row)),
    insertTerminal: (row, limits) => run('insertTerminal', () => terminals.insertTerminal(db, row, limits)),
    openParcel: (parcel) => run('openParcel', () => parcels.openParcel(db, parcel)),
    parcelBytes: (since, beside) => run('parcelBytes', () => parcels.parcelBytes(db, since, beside)),
    pruneParcels: (before) => run('pruneParcels', () => parcels.pruneParcels(db, before)),
    insertSilence: (silence) => run('insertSilence', () => db.put(db.silences, silence.id, silence)),
    deleteSilence: (id) => run('deleteSilence', () => silences.deleteSilence(db, id)),
    saveSilence: (silence) => run('saveSilence', () => silences.saveSilence(db, silence)),
    listSilences: (now) => run('listSilences', () => silences.listSilences(db, now)),
    ...bindChannels(run, db),
  };
}

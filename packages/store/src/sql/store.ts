// The store on Postgres: the port's names, bound to the functions that hold the SQL.
import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import type { Store, StoreTransaction } from '../port/store.ts';
import { withRetry } from '../connection/retry.ts';
import type { Database } from '../tables/database.ts';
import * as audit from './people/audit.ts';
import * as deliveries from './channels/deliveries.ts';
import * as people from './channels/people.ts';
import * as commands from './commands.ts';
import { insertEvent, saveDecisions } from './decision.ts';
import * as due from './due-work.ts';
import * as history from './history.ts';
import * as join from './machines/join.ts';
import * as machines from './machines/machines.ts';
import * as reports from './machines/reports.ts';
import * as policies from './policies.ts';
import * as profiles from './profiles.ts';
import * as projects from './projects.ts';
import * as signs from './machines/signs-of-life.ts';
import * as ssh from './machines/ssh.ts';
import * as tasks from './tasks.ts';
import * as accounts from './accounts.ts';
import * as checkpoints from './checkpoints.ts';
import * as errors from './errors.ts';
import * as escalations from './escalations.ts';
import * as incidents from './incidents.ts';
import * as placeTests from './channels/place-tests.ts';
import * as silences from './channels/silences.ts';
import * as announcements from './public/announcements.ts';
import * as webhooks from './public/webhooks.ts';
import * as keptAnswers from './public/kept-answers.ts';
import * as queue from './queue.ts';
import * as parcels from './parcels.ts';
import * as terminals from './terminals/terminals.ts';
import * as reviews from './reviews.ts';
import * as tokens from './people/tokens.ts';
import * as workers from './workers.ts';

/** Tries of one unit of work: with the waits of `backoffMs` about five seconds, longer than a restart of the server takes. */
const ATTEMPTS = 12;

/** The adapters that repetition needs. */
export interface SqlStoreOptions {
  readonly sleep: (ms: number) => Promise<void>;
  /** In [0, 1). */
  readonly random: () => number;
}

/** Binds the port to a database that was migrated. The connection stays the caller's. */
export function createSqlStore(db: Kysely<Database>, { sleep, random }: SqlStoreOptions): Store {
  const again = <T>(unit: () => Promise<T>): Promise<T> => withRetry(unit, { attempts: ATTEMPTS, sleep, random });
  return {
    transaction: (work) => again(() => db.transaction().execute((trx) => work(bind(trx)))),
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    readClock: () => due.readClock(db),
    notify: async (channel, payload) => {
      await sql`select pg_notify(${channel}, ${payload})`.execute(db);
    },
    upsertProject: (project, now) => again(() => projects.upsertProject(db, project, now)),
    listProjects: () => again(() => projects.listProjects(db)),
    listTasks: (page) => again(() => tasks.listTasks(db, page)),
    saveReview: (review) => again(() => reviews.saveReview(db, review)),
    listReviews: (reviewer) => again(() => reviews.listReviews(db, reviewer)),
    fleetSeed: (fresh, now) => again(() => machines.fleetSeed(db, fresh, now)),
    createJoinToken: (token) =>
      db.transaction().execute(async (trx) => {
        await join.createJoinToken(trx, token);
        if (token.audit !== undefined) await audit.appendAudit(trx, token.audit);
      }),
    joinMachine: (machine) => again(() => join.joinMachine(db, machine)),
    // Not repeated: after a lost answer the machine needs another challenge.
    hello: (hello) => machines.hello(db, hello),
    machineByToken: (sha256, now) => again(() => machines.machineByToken(db, sha256, now)),
    readMachine: (id) => again(() => machines.readMachine(db, id)),
    listMachines: () => again(() => machines.listMachines(db)),
    countMachines: () => again(() => machines.countMachines(db)),
    listRefusedReports: () => again(() => reports.listRefusedReports(db)),
    listGateways: () => again(() => machines.listGateways(db)),
    listAccess: (ids) => again(() => signs.listAccess(db, ids)),
    touchMachine: (session, now, condition) => again(() => signs.touchMachine(db, session, { now, condition })),
    // Not repeated: what a lost answer held is given again at the machine's next hello.
    takeCommands: (id, epoch, limit) => commands.takeCommands(db, id, { epoch, limit }),
    machinesWithCommands: () => again(() => commands.machinesWithCommands(db)),
    ackCommands: (session, ids) => again(() => commands.ackCommands(db, session, ids)),
    resendCommands: (id, which) => again(() => commands.resendCommands(db, id, which)),
    listSentCommands: (id) => again(() => commands.listSentCommands(db, id)),
    expireQueries: (expired, now) => again(() => commands.expireQueries(db, expired, now)),
    commandResult: (id) => again(() => commands.commandResult(db, id)),
    workerOfRequest: (requestId) => again(() => history.workerOfRequest(db, requestId)),
    eventOfRequest: (workerId, requestId) => again(() => history.eventOfRequest(db, workerId, requestId)),
    readWorker: (id) => again(() => workers.readWorker(db, id)),
    listWorkers: (filter = {}) => again(() => workers.listWorkers(db, filter)),
    listRoster: (filter = {}) => again(() => workers.listRoster(db, filter)),
    countWorkers: () => again(() => workers.countWorkers(db)),
    listEvents: (filter) => again(() => history.listEvents(db, filter)),
    followEvents: (filter) => again(() => history.followEvents(db, filter)),
    listDecisions: (id, page) => again(() => policies.listDecisions(db, id, page)),
    replayableFrom: (id, since) => again(() => policies.replayableFrom(db, id, since)),
    listPolicies: () => again(() => policies.listPolicies(db)),
    listReceipts: (id, limit) => again(() => history.listReceipts(db, id, limit)),
    claimDueWork: (now, options) => due.claimDueWork(db, now, options),
    nextDueAt: (now) => due.nextDueAt(db, now),
    noteDueProblem: (work, problem) => again(() => due.noteDueProblem(db, work, problem)),
    listFailingWork: (triesMin, limit) => again(() => due.listFailingWork(db, triesMin, limit)),
    readProfiles: () => again(() => profiles.readProfiles(db)),
    listAudit: (filter) => again(() => audit.listAudit(db, filter)),
    auditPage: (after, limit) => again(() => audit.auditPage(db, after, limit)),
    auditHeads: () => again(() => audit.auditHeads(db)),
    createApiToken: (token, now) => again(() => tokens.createApiToken(db, token, now)),
    listApiTokens: () => again(() => tokens.listApiTokens(db)),
    touchApiToken: (id, now) => again(() => tokens.touchApiToken(db, id, now)),
    deleteApiToken: (id) => again(() => tokens.deleteApiToken(db, id)),
    apiTokenBySha256: (sha256) => again(() => tokens.apiTokenBySha256(db, sha256)),
    listIncidents: (filter) => again(() => incidents.listIncidents(db, filter)),
    listErrors: (filter) => again(() => errors.listErrors(db, filter)),
    listEpisodes: (filter) => again(() => errors.listEpisodes(db, filter)),
    readEscalation: (id) => again(() => escalations.readEscalation(db, id, false)),
    listEscalations: (filter) => again(() => escalations.listEscalations(db, filter)),
    readResponse: (requestId) => again(() => escalations.readResponse(db, requestId)),
    listResponses: (escalationId) => again(() => escalations.listResponses(db, escalationId)),
    readCheckpoint: (id) => again(() => checkpoints.readCheckpoint(db, id)),
    listCheckpoints: (filter) => again(() => checkpoints.listCheckpoints(db, filter)),
    readQueueItem: (id) => again(() => queue.readQueueItem(db, id, false)),
    listQueueItems: (filter) => again(() => queue.listQueueItems(db, filter)),
    listAccounts: () => again(() => accounts.listAccounts(db)),
    readParcel: (key) => again(() => parcels.readParcel(db, key)),
    saveChunk: (key, chunk) => again(() => parcels.saveChunk(db, key, chunk)),
    readChunk: (key, number) => again(() => parcels.readChunk(db, key, number)),
    followAnnouncements: (after, limit) => again(() => announcements.followAnnouncements(db, after, limit)),
    listWebhookEndpoints: () => again(() => webhooks.listWebhookEndpoints(db)),
    leaseWebhookEndpoint: (id, lease) => again(() => webhooks.leaseWebhookEndpoint(db, id, lease)),
    freeWebhookEndpoint: (id, holder, from) => again(() => webhooks.freeWebhookEndpoint(db, id, { holder, from })),
    dueWebhookDeliveries: (id, now, limit) => again(() => webhooks.dueWebhookDeliveries(db, id, { now, limit })),
    listWebhookDeliveries: (filter) => again(() => webhooks.listWebhookDeliveries(db, filter)),
    listWebhookAttempts: (ids) => again(() => webhooks.listWebhookAttempts(db, ids)),
    claimKey: (request) => again(() => keptAnswers.claimKey(db, request)),
    keepAnswer: (which, answer) => again(() => keptAnswers.keepAnswer(db, which, answer)),
    readGivenCommand: (machineId, id) => again(() => commands.readGivenCommand(db, machineId, id)),
    letRead: (key, reader) => again(() => parcels.letRead(db, key, reader)),
    isParcelNamed: (id, use) => again(() => parcels.isParcelNamed(db, id, use)),
    // Not repeated: after a lost answer the person asks again, and the machine is told again.
    joinTerminal: (join) => terminals.joinTerminal(db, join),
    meetTerminal: (meet) => terminals.meetTerminal(db, meet),
    // Not repeated: what comes twice is worse than what does not come.
    carry: (replica, texts) => terminals.carry(db, replica, texts),
    listPeople: () => again(() => people.listPeople(db)),
    listIdentities: () => again(() => people.listIdentities(db)),
    personOf: (channel, subject) => again(() => people.personOf(db, channel, subject)),
    listPlaces: () => again(() => people.listPlaces(db)),
    listSilences: (now) => again(() => silences.listSilences(db, now)),
    listChannelLeases: () => again(() => deliveries.listChannelLeases(db)),
    listFailingDeliveries: (limit) => again(() => deliveries.listFailingDeliveries(db, limit)),
    holdChannel: (claim) => again(() => deliveries.holdChannel(db, claim)),
    releaseChannel: (channel, holder) => again(() => deliveries.releaseChannel(db, channel, holder)),
    wantEverywhere: (channel, now) => again(() => deliveries.wantEverywhere(db, channel, now)),
    // Not repeated: what a lost answer held is claimed again when its time is over.
    claimDeliveries: (claim, limit) => deliveries.claimDeliveries(db, claim, limit),
    endDelivery: (key, end, now) => again(() => deliveries.endDelivery(db, key, { end, now })),
    listDeliveries: (id) => again(() => deliveries.listDeliveries(db, id)),
    beginPlaceTests: (tests, now) => again(() => placeTests.beginPlaceTests(db, tests, now)),
    // Not repeated: a test whose answer is lost fails, and is tried again by a person.
    takePlaceTests: (channel, now) => placeTests.takePlaceTests(db, channel, now),
    endPlaceTest: (id, end) => again(() => placeTests.endPlaceTest(db, id, end)),
    readPlaceTest: (id) => again(() => placeTests.readPlaceTest(db, id)),
  };
}

function bind(trx: Transaction<Database>): StoreTransaction {
  return {
    insertWebhookEndpoint: (row) => webhooks.insertWebhookEndpoint(trx, row),
    lockWebhookEndpoint: (id) => webhooks.lockWebhookEndpoint(trx, id),
    saveWebhookEndpoint: (row) => webhooks.saveWebhookEndpoint(trx, row),
    deleteWebhookEndpoint: (id) => webhooks.deleteWebhookEndpoint(trx, id),
    insertWebhookDeliveries: (rows) => webhooks.insertWebhookDeliveries(trx, rows),
    readWebhookDelivery: (id) => webhooks.readWebhookDelivery(trx, id),
    saveWebhookDelivery: (row) => webhooks.saveWebhookDelivery(trx, row),
    insertWebhookAttempt: (row) => webhooks.insertWebhookAttempt(trx, row),
    lockWorker: (id, on) => workers.lockWorker(trx, id, on),
    lockWorkers: (ids, on) => workers.lockWorkers(trx, ids, on),
    lockProject: (id) => projects.lockProject(trx, { column: 'id', value: id }),
    lockProjectNamed: (name) => projects.lockProject(trx, { column: 'name', value: name }),
    saveProject: (project, now) => projects.upsertProject(trx, project, now),
    removeProject: (id, now) => projects.removeProject(trx, id, now),
    readProject: (id) => projects.readProject(trx, id),
    readMachine: (id) => machines.readMachine(trx, id),
    listMachines: () => machines.listMachines(trx),
    addSshMachine: (machine) => ssh.addSshMachine(trx, machine),
    saveSsh: (id, of) => ssh.saveSsh(trx, id, of),
    handMachineOver: (id, publicKey) => ssh.handMachineOver(trx, id, publicKey),
    findReview: (workerId, reviewer) => reviews.findReview(trx, workerId, reviewer),
    dropReviews: (workerId) => reviews.dropReviews(trx, workerId),
    setMergeWorker: (projectId, workerId) => projects.setMergeWorker(trx, projectId, workerId),
    setTrust: (projectId, trust) => projects.setTrust(trx, projectId, trust),
    listWorkers: (filter) => workers.listWorkers(trx, filter),
    listRoster: (filter) => workers.listRoster(trx, filter),
    machinesOfWorkers: (ids) => workers.machinesOfWorkers(trx, ids),
    insertWorker: (row) => workers.insertWorker(trx, row),
    saveWorker: (row, now) => workers.saveWorker(trx, row, now),
    saveDecisions: (saved) => saveDecisions(trx, saved),
    deleteWorker: (id) => workers.deleteWorker(trx, id),
    saveCheckout: (of, checkout) => machines.saveCheckout(trx, of, checkout),
    revokeMachine: (id, now) => machines.revokeMachine(trx, id, now),
    rotateMachine: (id, now) => machines.rotateMachine(trx, id, now),
    saveCordon: (id, cordon) => machines.saveCordon(trx, id, cordon),
    saveTerms: (id, terms) => machines.saveTerms(trx, id, terms),
    removeMachine: (id) => machines.removeMachine(trx, id),
    receiveReports: (from, seqs) => reports.receiveReports(trx, from, seqs),
    insertObservations: (all) => reports.insertObservations(trx, all),
    countRefusedReports: (id, refused, now) => reports.countRefusedReports(trx, id, { refused, now }),
    insertEvent: (event) => insertEvent(trx, event),
    keepPolicy: (policy) => policies.keepPolicy(trx, policy),
    audit: (entry) => audit.appendAudit(trx, entry),
    putProfile: (name, document, now) => profiles.putProfile(trx, { name, document, now }),
    listApiTokens: () => tokens.listApiTokens(trx),
    insertApiToken: (token, now) => tokens.insertApiToken(trx, token, now),
    deleteApiToken: (id) => tokens.deleteApiToken(trx, id),
    setApiTokenEnd: (id, expiresAt) => tokens.setApiTokenEnd(trx, id, expiresAt),
    issueWorkerToken: (token, now) => tokens.issueWorkerToken(trx, token, now),
    findReply: (workerId, requestId) => history.findReply(trx, workerId, requestId),
    causeOfRequest: (workerId, requestId) => history.causeOfRequest(trx, workerId, requestId),
    insertCommands: (rows, now) => commands.insertCommands(trx, rows, now),
    hasCommand: (id) => commands.hasCommand(trx, id),
    finishCommand: async (finished, now) => (await commands.finishCommands(trx, [finished], now))[0] ?? 'unknown',
    finishCommands: (finished, now) => commands.finishCommands(trx, finished, now),
    dropCommandsBefore: (workerId, seq) => commands.dropCommandsBefore(trx, workerId, seq),
    setDeadlines: (workerId, deadlines) => due.setDeadlines(trx, workerId, deadlines),
    schedule: (work) => due.schedule(trx, work),
    finishDueWork: (work) => due.finishDueWork(trx, work),
    prune: (before, rowsMax) => history.prune(trx, before, rowsMax),
    thinHistory: (before, rowsMax) => history.thinHistory(trx, before, rowsMax),
    insertReceipts: (rows) => history.insertReceipts(trx, rows),
    insertTask: (task) => tasks.insertTask(trx, task),
    setTaskStatus: (id, status, now) => tasks.setTaskStatus(trx, { id, status, now }),
    readIncident: (id) => incidents.readIncident(trx, id),
    saveIncident: (row) => incidents.saveIncidents(trx, [row]),
    saveIncidents: (rows) => incidents.saveIncidents(trx, rows),
    listIncidents: (filter) => incidents.listIncidents(trx, filter),
    insertError: (row) => errors.insertErrors(trx, [row]),
    insertErrors: (rows) => errors.insertErrors(trx, rows),
    saveEvidence: (id, evidence) => errors.saveEvidence(trx, id, evidence),
    readError: (id) => errors.readError(trx, id),
    lastErrorOf: (incidentId) => errors.lastErrorOf(trx, incidentId),
    markErrorsRecovered: (incidentId, at) => errors.markErrorsRecovered(trx, incidentId, at),
    endLooseErrors: (which, end) => errors.endLooseErrors(trx, which, end),
    insertEpisodes: (rows) => errors.insertEpisodes(trx, rows),
    listEpisodes: (filter) => errors.listEpisodes(trx, filter),
    lockName: (name) => escalations.lockName(trx, name),
    openEscalation: (row) => escalations.openEscalation(trx, row),
    addEscalation: (row) => escalations.addEscalation(trx, row),
    lockEscalation: (id) => escalations.readEscalation(trx, id, true),
    saveEscalation: (row) => escalations.saveEscalation(trx, row),
    listEscalations: (filter) => escalations.listEscalations(trx, filter),
    saveOncall: (id, oncall) => escalations.saveOncall(trx, id, oncall),
    readResponse: (requestId) => escalations.readResponse(trx, requestId),
    insertResponse: (response) => escalations.insertResponse(trx, response),
    insertCheckpoint: (row) => checkpoints.insertCheckpoint(trx, row),
    listCheckpoints: (filter) => checkpoints.listCheckpoints(trx, filter),
    deleteCheckpoints: (ids) => checkpoints.deleteCheckpoints(trx, ids),
    setCheckpointMachine: (id, machineId) => checkpoints.setCheckpointMachine(trx, id, machineId),
    insertQueueItem: (row) => queue.insertQueueItem(trx, row),
    listQueueItems: (filter) => queue.listQueueItems(trx, filter),
    lockOpenQueueItem: (id) => queue.lockOpenQueueItem(trx, id),
    lockQueueItem: (id) => queue.readQueueItem(trx, id, true),
    saveQueueItem: (row) => queue.saveQueueItem(trx, row),
    lockAccount: (key, now) => accounts.lockAccount(trx, key, now),
    readAccount: (key) => accounts.readAccount(trx, key),
    listAccounts: () => accounts.listAccounts(trx),
    saveAccount: (row) => accounts.saveAccount(trx, row),
    insertTerminal: (row, limits) => terminals.insertTerminal(trx, row, limits),
    openParcel: (parcel) => parcels.openParcel(trx, parcel),
    parcelBytes: (since, beside) => parcels.parcelBytes(trx, since, beside),
    pruneParcels: (before) => parcels.pruneParcels(trx, before),
    insertSilence: (silence) => silences.insertSilence(trx, silence),
    deleteSilence: (id) => silences.deleteSilence(trx, id),
    saveSilence: (silence) => silences.saveSilence(trx, silence),
    listSilences: (now) => silences.listSilences(trx, now),
    insertPerson: (person) => people.insertPerson(trx, person),
    findPersonByName: (name) => people.findPersonByName(trx, name),
    deletePerson: (id) => people.deletePerson(trx, id),
    savePerson: (person) => people.savePerson(trx, person),
    insertLinkCode: (code) => people.insertLinkCode(trx, code),
    takeLinkCode: (sha256, now) => people.takeLinkCode(trx, sha256, now),
    personOf: (channel, subject) => people.personOf(trx, channel, subject),
    saveIdentity: (identity) => people.saveIdentity(trx, identity),
    savePlace: (place) => people.savePlace(trx, place),
    deletePlace: (place) => people.deletePlace(trx, place),
    movePlace: (move) => people.movePlace(trx, move),
    wantDelivery: (id, place, when) => deliveries.wantDelivery(trx, id, { place, ...when }),
    listPeople: () => people.listPeople(trx),
    listPlaces: () => people.listPlaces(trx),
    listDeliveries: (id) => deliveries.listDeliveries(trx, id),
  };
}

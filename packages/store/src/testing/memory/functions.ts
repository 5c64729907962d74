// Lists the functions of the store in memory: the same names and parameters as those of `sql/`, without waiting.
import type { FUNCTIONS } from '../../sql/functions.ts';
import * as accounts from './accounts.ts';
import * as checkpoints from './checkpoints.ts';
import * as deliveries from './channels/deliveries.ts';
import * as people from './channels/people.ts';
import * as placeTests from './channels/place-tests.ts';
import * as silences from './channels/silences.ts';
import * as commands from './commands.ts';
import * as due from './due-work.ts';
import type { MemoryDatabase } from './engine/database.ts';
import { held } from './engine/table.ts';
import * as escalations from './escalations.ts';
import * as history from './history.ts';
import * as incidents from './incidents.ts';
import * as machines from './machines.ts';
import * as parcels from './passing/parcels.ts';
import * as audit from './people/audit.ts';
import * as tokens from './people/tokens.ts';
import * as policies from './policies.ts';
import * as profiles from './profiles.ts';
import * as projects from './projects.ts';
import * as prune from './prune.ts';
import * as announcements from './public/announcements.ts';
import * as keptAnswers from './public/kept-answers.ts';
import * as webhooks from './public/webhooks.ts';
import * as queue from './queue.ts';
import * as reviews from './reviews.ts';
import * as runs from './runs.ts';
import * as tasks from './tasks.ts';
import * as terminals from './passing/terminals.ts';
import * as workers from './workers.ts';

/** The same functions on tables in memory. */
type InMemory<Functions> = {
  [K in keyof Functions]?: Functions[K] extends (db: never, ...rest: infer Rest) => Promise<infer Result>
    ? (db: MemoryDatabase, ...rest: Rest) => Result
    : never;
};

/** Functions that the decision loop and the simulation use. All else is tested on SQL alone. */
export const IN_MEMORY = {
  ...accounts,
  ...announcements,
  ...audit,
  ...checkpoints,
  ...commands,
  ...deliveries,
  ...due,
  ...escalations,
  ...history,
  ...incidents,
  ...keptAnswers,
  ...machines,
  ...parcels,
  ...people,
  ...placeTests,
  ...policies,
  ...profiles,
  ...projects,
  ...prune,
  ...queue,
  ...reviews,
  ...runs,
  ...silences,
  ...tasks,
  ...terminals,
  ...tokens,
  ...webhooks,
  ...workers,
  upsertProject: projects.saveProject,
  readProject: (db, id) => db.projects.get(id) ?? null,
  setMergeWorker: (db, id, mergeWorkerId) => projects.changeProject(db, id, { mergeWorkerId }),
  setTrust: (db, id, trust) => projects.changeProject(db, id, { trust }),
  countMachines: (db) => db.machines.size,
  readWorker: (db, id) => db.workers.get(id) ?? null,
  listRoster: workers.listWorkers,
  readClock: (db) => db.now(),
  apiTokenBySha256: (db, sha256) => [...db.apiTokens.values()].find((token) => token.sha256 === sha256) ?? null,
  readEscalation: (db, id) => db.escalations.get(id) ?? null,
  lockEscalation: (db, id) => held(db.escalations, id),
  lockName: (db, name) => db.names.lock(name),
  readResponse: (db, requestId) => db.responses.get(requestId) ?? null,
  readCheckpoint: (db, id) => db.checkpoints.get(id) ?? null,
  deleteCheckpoints: (db, ids) => ids.forEach((id) => db.remove(db.checkpoints, id)),
  readQueueItem: (db, id) => db.queueItems.get(id) ?? null,
  readRun: (db, id) => db.runs.get(id) ?? null,
  lockRun: (db, id) => held(db.runs, id),
  readFlow: (db, digest) => db.flows.get(digest) ?? null,
  lockQueueItem: (db, id) => held(db.queueItems, id),
  readAccount: (db, key) => db.accounts.get(key) ?? null,
  saveAccount: (db, row) => db.put(db.accounts, row.key, row),
  readIncident: (db, id) => db.incidents.get(id) ?? null,
  readError: (db, id) => db.errors.get(id) ?? null,
  readWebhookDelivery: (db, id) => db.webhookDeliveries.get(id) ?? null,
  insertSilence: (db, silence) => db.put(db.silences, silence.id, silence),
  insertReceipts: (db, rows) => rows.forEach((row) => db.put(db.receipts, db.nextId(), row)),
  saveDecisions: (db, decisions) => {
    for (const { row, event, commands: all, audit: entry } of decisions) {
      commands.insertCommands(db, all, event.at);
      workers.saveWorker(db, row, event.at);
      due.setDeadlines(db, row.id, row.state.deadlines);
      history.insertEvent(db, event);
      if (entry !== undefined) audit.audit(db, entry);
    }
  },
} satisfies InMemory<typeof FUNCTIONS>;

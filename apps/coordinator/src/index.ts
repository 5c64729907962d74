/** Starts the coordinator for a composition root, with the adapters of a real machine. */
export { ListenError } from './http/listen.ts';
export type { Ids } from './context/ports.ts';
export type { PolicyReading } from './start/policy-watch.ts';
export { startCoordinator } from './start/start.ts';
export type { CoordinatorOptions } from './start/options.ts';
export type { DatabaseChoice } from './database/address.ts';
export type { Coordinator } from './start/start.ts';
export { lambdaHandler } from './start/lambda-adapter.ts';
export { openRequests } from './start/requests.ts';
export type { Requests, RequestsOptions } from './start/requests.ts';
export { tokenNameProblem } from './use-cases/people/tokens.ts';
export { migrateDatabase } from './database/migrate.ts';
export type { Migrated } from './database/migrate.ts';
export { systemIds, systemRandom } from './context/ids-adapter.ts';
export type { AccountName } from './context/account-key.ts';
export { saidOf, type WorkerDefaults } from './facts/workers/defaults.ts';
export type { Leases } from './context/leases.ts';
export { restoreDatabase } from './database/restore.ts';
export type { Restored } from './database/restore.ts';
export { databaseExists, exportToFile, importFromFile } from './database/transfer.ts';
export type { ImportedFile } from './database/transfer.ts';
export {
  BACKUPS_KEPT,
  listBackups,
  listStagedClusters,
  removeStagedDatabase,
  setClusterAside,
} from '@drover/embedded-postgres';
export type { Backup, StagedCluster } from '@drover/embedded-postgres';

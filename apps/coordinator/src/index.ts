/** What does the coordinator offer? To be started, by a composition root, with the adapters of a real machine. */
export { ListenError } from './http/server.ts';
export type { Clock, Ids, LocalClock, Log, LogLevel } from './ports.ts';
export type { PolicyReading } from './policy-watch.ts';
export { startCoordinator } from './start.ts';
export type { Coordinator, CoordinatorOptions, DatabaseChoice } from './start.ts';
export { systemClock, systemIds, systemRandom } from './system-clock.ts';
export type { AccountName } from './use-cases/accounts/key.ts';
export type { WorkerDefaults } from './use-cases/workers/add.ts';
export type { Leases } from './use-cases/machines/leases.ts';
export { restoreDatabase } from './offline/restore.ts';
export type { Restored } from './offline/restore.ts';
export { databaseExists, exportToFile, importFromFile } from './offline/transfer.ts';
export type { ImportedFile } from './offline/transfer.ts';
export { BACKUPS_KEPT, listBackups, listStagedClusters, removeStagedCluster, type StagedCluster } from '@drover/store';
export type { Backup } from '@drover/store';

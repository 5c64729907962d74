// Exports of this room for other rooms.
export type { BackupOutcome } from './backups/backup.ts';
export { BACKUPS_KEPT, hasCluster, listBackups, type Backup, type Origin } from './backups/backups.ts';
export { restoreBackup, setClusterAside, type RestoreOutcome } from './backups/restore.ts';
export { type Clock, waitFor } from './clock.ts';
export { EmbeddedPostgresError } from './errors.ts';
export type { Log, LogLevel } from './log.ts';
export { listStagedClusters, removeStagedBelow, removeStagedDatabase, type StagedCluster } from './staged.ts';
export { startEmbeddedPostgres, type EmbeddedPostgres } from './start.ts';
export { systemClock } from './system-clock.ts';

// Exports of this room for other rooms.
export type { BackupOutcome } from './backups/backup.ts';
export { BACKUPS_KEPT, hasCluster, listBackups, type Backup, type Origin } from './backups/backups.ts';
export { restoreBackup, setClusterAside, type RestoreOutcome } from './backups/restore.ts';
export { EmbeddedPostgresError } from './errors.ts';
export { listStagedClusters, removeStagedBelow, removeStagedDatabase, type StagedCluster } from './staged.ts';
export { startEmbeddedPostgres, type EmbeddedPostgres } from './start.ts';

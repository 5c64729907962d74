/** The database of this root, and commands on it while Drover is stopped. */
import path from 'node:path';
import { listBackups, restoreDatabase, setClusterAside } from '@drover/coordinator';
import { databaseExists, exportToFile, importFromFile } from '@drover/coordinator';
import type { Backup, DatabaseChoice, ImportedFile, Restored } from '@drover/coordinator';
import type { Surroundings } from '../surroundings.ts';
import { createLog } from './log.ts';
import { migrationsDir } from './settings.ts';
import type { Settings } from './settings.ts';

export { listStagedClusters, removeStagedDatabase } from '@drover/coordinator';
export type { StagedCluster } from '@drover/coordinator';

/** Returns a server of one's own if one is named, else Drover's own. */
export function databaseOf({ config, paths }: Pick<Settings, 'config' | 'paths'>): DatabaseChoice {
  const { database_url: url, database_direct_url: directUrl } = config.coordinator;
  if (url === undefined) return { kind: 'embedded', dataDir: path.join(paths.dataDir, 'postgres') };
  return { kind: 'url', url, ...(directUrl !== undefined && { directUrl }) };
}

/** Operations of commands on the database. */
export interface Offline {
  readonly database: DatabaseChoice;
  exists(): Promise<boolean>;
  exportTo(file: string, redact?: (text: string) => string): Promise<void>;
  importFrom(file: string, choice: { replace: boolean; withTokens: boolean }): Promise<ImportedFile>;
  backups(): Promise<readonly Backup[]>;
  /** @param dataDir Data directory of an embedded database. */
  restore(dataDir: string, date: string): Promise<Restored>;
  /** Moves an embedded database aside. @returns its new path; null: there was none. */
  setAside(dataDir: string): Promise<string | null>;
}

/** Binds the operations to this root. Each operation throws with advice if Drover still runs on the database. */
export function offline(surroundings: Surroundings, settings: Pick<Settings, 'config' | 'paths'>): Offline {
  const database = databaseOf(settings);
  const log = createLog(surroundings, 'warn');
  const { now } = surroundings;
  return {
    database,
    exists: () => databaseExists(database),
    exportTo: (file, redact) => exportToFile({ database, file, log, ...(redact !== undefined && { redact }) }),
    importFrom: (file, choice) =>
      importFromFile({ database, file, log, ...choice, migrationsDir: migrationsDir(), now: now() }),
    backups: () => (database.kind === 'embedded' ? listBackups(database.dataDir) : Promise.resolve([])),
    setAside: (dataDir) => setClusterAside({ dataDir, now: now(), log }),
    restore: (dataDir, date) => restoreDatabase({ dataDir, date, now: now(), migrations: migrationsDir(), log }),
  };
}

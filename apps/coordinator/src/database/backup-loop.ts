/** Backs up the embedded database once a day, the first time soon after a start without a fresh backup. */
import type { Clock, Log } from '@drover/base';
import { EmbeddedPostgresError } from '@drover/embedded-postgres';
import type { EmbeddedPostgres } from '@drover/embedded-postgres';

/** Age in milliseconds of the newest backup after which the next one is due. */
export const BACKUP_EVERY_MS = 24 * 3_600_000;
/** Milliseconds from the start to the first check: a person who starts Drover waits for workers first. */
export const FIRST_CHECK_AFTER_MS = 60_000;
/** Milliseconds between two checks: after a failed backup, or a sleep of the machine, the next backup comes within the hour. */
export const CHECK_EVERY_MS = 3_600_000;

export interface BackupParts {
  readonly database: Pick<EmbeddedPostgres, 'backups' | 'backUp'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Checks regularly whether a backup is due. A backup in progress ends with the database. */
export class BackupLoop implements Disposable {
  readonly #parts: BackupParts;
  #cancel: () => void;
  #stopped = false;

  constructor(parts: BackupParts) {
    this.#parts = parts;
    this.#cancel = parts.clock.after(FIRST_CHECK_AFTER_MS, () => this.#check());
  }

  #check(): void {
    void this.#backUpIfDue().finally(() => {
      if (!this.#stopped) this.#cancel = this.#parts.clock.after(CHECK_EVERY_MS, () => this.#check());
    });
  }

  async #backUpIfDue(): Promise<void> {
    const { database, clock, log } = this.#parts;
    try {
      const [newest] = await database.backups();
      const age = newest === undefined ? Number.POSITIVE_INFINITY : clock.now() - newest.takenAt;
      // A backup from the future got its name from a clock that has been set back since: its age says nothing.
      if (age >= 0 && age < BACKUP_EVERY_MS) return;
      const outcome = await database.backUp(clock.now());
      if (outcome.kind === 'made') log('debug', 'Backed up the database', { path: outcome.backup.path });
      else log('warn', `Cannot back up the database: ${noRoom(outcome)}; Drover retries in an hour`);
    } catch (error) {
      if (!this.#stopped) log('warn', `Cannot back up the database; Drover retries in an hour: ${String(error)}`);
    }
  }

  [Symbol.dispose](): void {
    this.#stopped = true;
    this.#cancel();
  }
}

/** Backs the database up before its tables change: only this build, and newer ones, can read them afterwards. @throws {EmbeddedPostgresError} `disk-full`. */
export async function backUpBeforeMigration({ database, clock, log }: BackupParts): Promise<void> {
  const outcome = await database.backUp(clock.now());
  if (outcome.kind === 'made') {
    log('info', `Backed up the database before its migration: ${outcome.backup.path}`);
    return;
  }
  const message = `Drover did not migrate the database to this build, because it cannot back it up first: ${noRoom(outcome)}`;
  throw new EmbeddedPostgresError('disk-full', `${message}, or start the build of Drover that ran last`);
}

function noRoom({ freeBytes, needBytes }: { freeBytes: number; needBytes: number }): string {
  return `${mib(needBytes)} are needed on its disk and ${mib(freeBytes)} are free. Make room`;
}

function mib(bytes: number): string {
  return `${Math.ceil(bytes / 1024 ** 2)} MiB`;
}

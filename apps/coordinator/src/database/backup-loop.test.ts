/** Makes a backup when one is due, and only then. */
import type { Clock } from '@drover/base';
import type { Backup, BackupOutcome } from '@drover/embedded-postgres';
import { expect, test } from 'vitest';
import {
  BACKUP_EVERY_MS,
  backUpBeforeMigration,
  BackupLoop,
  FIRST_CHECK_AFTER_MS,
  CHECK_EVERY_MS,
} from './backup-loop.ts';

const NOON = Date.UTC(2026, 10, 22, 12);

/** Fakes a clock that moves on request; due timers fire then, with their consequences. */
class TestClock implements Clock {
  #now = NOON;
  #timers: { at: number; run: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + ms, run };
    this.#timers.push(timer);
    return () => (this.#timers = this.#timers.filter((one) => one !== timer));
  }

  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at)[0];
      if (next === undefined) break;
      this.#now = next.at;
      this.#timers = this.#timers.filter((one) => one !== next);
      next.run();
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    }
    this.#now = end;
  }
}

function scene({ takenAt, answer }: { takenAt?: number; answer?: () => Promise<BackupOutcome> } = {}) {
  const clock = new TestClock();
  const backups = takenAt === undefined ? [] : [backupOf(takenAt)];
  const made: number[] = [];
  const said: string[] = [];
  const backUp = async (now: number): Promise<BackupOutcome> => {
    made.push(now - NOON);
    if (answer !== undefined) return answer();
    backups.unshift(backupOf(now));
    return { kind: 'made', backup: backupOf(now) };
  };
  const database = { backups: () => Promise.resolve(backups), backUp };
  const loop = new BackupLoop({ database, clock, log: (_level, message) => void said.push(message) });
  return { clock, loop, made, said };
}

function backupOf(takenAt: number): Backup {
  return { name: 'any', path: '/any', takenAt, bytes: 1, postgres: 18, first: null };
}

test('given no backup, when a coordinator starts and stays three days, then one is made soon and one each day', async () => {
  const { clock, loop, made } = scene();

  await clock.pass(3 * BACKUP_EVERY_MS);
  loop[Symbol.dispose]();
  await clock.pass(BACKUP_EVERY_MS);

  expect(made).toEqual([
    FIRST_CHECK_AFTER_MS,
    FIRST_CHECK_AFTER_MS + BACKUP_EVERY_MS,
    FIRST_CHECK_AFTER_MS + 2 * BACKUP_EVERY_MS,
  ]);
});

test('given a backup of this morning, when a coordinator starts again, then the next is made a day after it', async () => {
  const { clock, made } = scene({ takenAt: NOON - BACKUP_EVERY_MS / 2 });

  await clock.pass(BACKUP_EVERY_MS);

  expect(made).toHaveLength(1);
  expect(made[0]).toBeGreaterThanOrEqual(BACKUP_EVERY_MS / 2);
  expect(made[0]).toBeLessThan(BACKUP_EVERY_MS / 2 + CHECK_EVERY_MS);
});

test('given a backup of a later date than now, when a coordinator starts, then a new one is made', async () => {
  const { clock, made } = scene({ takenAt: NOON + 10 * BACKUP_EVERY_MS });

  await clock.pass(FIRST_CHECK_AFTER_MS);

  expect(made).toEqual([FIRST_CHECK_AFTER_MS]);
});

test('given a full disk, when a backup is due, then it is said how much is needed, and tried again in an hour', async () => {
  const full = { kind: 'no-room', freeBytes: 0, needBytes: 300 * 1024 ** 2 } as const;
  const { clock, made, said } = scene({ answer: () => Promise.resolve(full) });

  await clock.pass(FIRST_CHECK_AFTER_MS + CHECK_EVERY_MS);

  expect(made).toEqual([FIRST_CHECK_AFTER_MS, FIRST_CHECK_AFTER_MS + CHECK_EVERY_MS]);
  expect(said[0]).toContain('300 MiB are needed on its disk and 0 MiB are free');
});

test('given a database that fails, when a backup is due, then the loop goes on', async () => {
  const { clock, made, said } = scene({ answer: () => Promise.reject(new Error('the server said no')) });

  await clock.pass(FIRST_CHECK_AFTER_MS + CHECK_EVERY_MS);

  expect(made).toHaveLength(2);
  expect(said[0]).toContain('the server said no');
});

test('given no room for a backup, when the database is to be migrated, then it is not, and the reason and the remedy are named', async () => {
  const database = {
    backups: () => Promise.resolve([]),
    backUp: (): Promise<BackupOutcome> => Promise.resolve({ kind: 'no-room', freeBytes: 1, needBytes: 5 * 1024 ** 2 }),
  };

  const when = backUpBeforeMigration({ database, clock: new TestClock(), log: () => {} });

  await expect(when).rejects.toMatchObject({ code: 'disk-full', message: expect.stringContaining('5 MiB are needed') });
});

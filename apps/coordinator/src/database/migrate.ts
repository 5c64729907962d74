/** Brings the database to the state that this build and its configuration expect, as a step of its own: before functions or replicas start. */
import { type Clock, type Log, pause } from '@drover/base';
import { connect, createSqlStore, migrate } from '@drover/store';
import type { Database, NewProject, Store } from '@drover/store';
import { sha256 } from '../context/sha256.ts';
import { addressOf } from './address.ts';
import type { DatabaseChoice } from './address.ts';
import type { Ids } from '../context/ports.ts';
import { prepare } from './prepare.ts';
import { audited } from '../facts/people/audit-rows.ts';
import { POLICY } from '../facts/people/causes.ts';
import { newSecret } from '../use-cases/people/tokens.ts';

export interface MigrateParts {
  readonly database: Extract<DatabaseChoice, { kind: 'url' }>;
  readonly migrationsDir: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: () => number;
  /** Project that the configuration names; null: none. */
  readonly project: NewProject | null;
  /** Milliseconds between rounds of the patrol. */
  readonly patrolEveryMs: number;
  /** Name of an admin token to make as well; null: none. */
  readonly admin: string | null;
}

/** Files that were applied, and the secret of the new token. `name-taken`: a token of that name exists already. */
export interface Migrated {
  readonly applied: readonly string[];
  readonly project: string | null;
  readonly token: { readonly kind: 'made'; readonly secret: string } | { readonly kind: 'name-taken' } | null;
}

/** @throws {MigrationError}, and when the database does not answer. Safe to repeat. */
export async function migrateDatabase(parts: MigrateParts): Promise<Migrated> {
  const { database, migrationsDir, log, clock, random, project, patrolEveryMs, admin } = parts;
  const { directUrl } = addressOf(database);
  const applied = await migrate(directUrl, { directory: migrationsDir, log });
  await using connection = connect<Database>(directUrl, { log, maxConnections: 1 });
  const sleep = (ms: number): Promise<void> => pause(clock, ms);
  const store = createSqlStore(connection.db, { sleep, random });
  const now = await store.readClock();
  const hints = { commands: () => {}, events: () => {}, due: () => {} };
  const shared = { now: () => now, after: clock.after };
  const ids = { secret: parts.ids.secret, uuid: () => parts.ids.uuid(now) };
  await prepare({ store, clock: shared, ids, log, hints }, { project, patrolEveryMs });
  const token = admin === null ? null : await makeAdmin(store, { ids: parts.ids, admin, now });
  return { applied, project: project?.name ?? null, token };
}

async function makeAdmin(
  store: Store,
  { ids, admin, now }: { readonly ids: Ids; readonly admin: string; readonly now: number },
): Promise<Migrated['token']> {
  const secret = newSecret(ids);
  const row = {
    id: ids.uuid(now),
    name: admin,
    role: 'admin' as const,
    projectId: null,
    workerId: null,
    expiresAt: null,
  };
  return store.transaction(async (tx) => {
    if ((await tx.insertApiToken({ ...row, sha256: sha256(secret) }, now)) === 'name-taken')
      return { kind: 'name-taken' };
    const details = { id: row.id, role: row.role, project: null, expiresAt: null };
    await tx.audit(audited({ at: now, by: POLICY, action: 'token-made', about: `token ${admin}`, details }));
    return { kind: 'made', secret };
  });
}

/** Opens a real Postgres whose clock tests can set, and one that records when due work is taken. */
import { connect } from '@drover/store';

async function query<Row>(databaseUrl: string, text: string): Promise<readonly Row[]> {
  await using connection = connect(databaseUrl, { log: () => {}, maxConnections: 1 });
  return (await connection.pool.query(text)).rows as readonly Row[];
}

/** Replaces `clock_timestamp()`, from the next connection on, by a function of this test: Drover calls it without its schema. */
export async function makeJumpyClock(databaseUrl: string): Promise<void> {
  await query(
    databaseUrl,
    `create schema jumpy;
    create table jumpy.jumped (ms double precision not null);
    create function jumpy.clock_timestamp() returns timestamptz language sql volatile as $$
      select pg_catalog.clock_timestamp()
        + coalesce((select sum(ms) from jumpy.jumped), 0) * interval '1 millisecond' $$;
    alter database ${new URL(databaseUrl).pathname.slice(1)} set search_path = jumpy, public, pg_catalog`,
  );
}

/** Sets the clock forwards, or with less than 0 backwards. */
export async function jumpDatabaseClock(databaseUrl: string, ms: number): Promise<void> {
  await query(databaseUrl, `insert into jumpy.jumped values (${ms})`);
}

/** Due work that was taken, and its lateness by the database's clock at that moment, in milliseconds. */
export interface Taken {
  readonly kind: string;
  readonly key: string;
  readonly lateMs: number;
}

/** Makes the database record each taking of due work, by its own clock. */
export async function watchDueWork(databaseUrl: string): Promise<void> {
  await query(
    databaseUrl,
    `create table taken (kind text, key text, late_ms double precision);
    create function note_taken() returns trigger language plpgsql as $$ begin
      insert into taken values (new.kind, new.key, extract(epoch from clock_timestamp() - new.due_at) * 1000);
      return null;
    end $$;
    create trigger note_taken after update on due_work for each row when (new.attempts > old.attempts)
      execute function note_taken()`,
  );
}

/** Reads the records so far. */
export async function takenSoFar(databaseUrl: string): Promise<readonly Taken[]> {
  return query(databaseUrl, 'select kind, key, late_ms as "lateMs" from taken');
}

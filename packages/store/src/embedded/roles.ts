/**
 * As whom does Drover work on its own server? As the owner of its database and no more: a superuser could read and write
 * files of the machine and start programs by a statement. See docs/adr/0083-secrets.md.
 */
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { CONNECT_TIMEOUT_MS } from '../connection/connect.ts';
import type { Log } from '../log.ts';
import { type Account } from './account.ts';
import { DATABASE_NAME, SUPERUSER_OPTIONS, writePassword } from './server/cluster.ts';

/**
 * The role that owns the database and everything in it. The title of each server process of a connection has it, so it holds no word by which
 * an agent ends its own programs (docs/adr/0187-command-lines-without-our-name.md).
 */
export const APPLICATION_USER = 'fleet_app';

const PASSWORD_FILE = 'application-password';

/** What the making of the role needs; `superuser` is the superuser's connection string. */
export type RoleParts = {
  readonly home: string;
  readonly account: Account;
  readonly superuser: string;
  readonly log: Log;
};

/**
 * Makes the role, or brings a cluster of former builds, in which everything belongs to the superuser, to this shape. All in
 * one transaction, and safe to repeat.
 *
 * @returns the role's password.
 * @throws what Postgres or the disk says.
 */
export async function prepareApplicationRole(parts: RoleParts): Promise<string> {
  const password = await readPassword(parts);
  const client = new Client({
    connectionString: parts.superuser,
    application_name: 'drover-roles',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    options: SUPERUSER_OPTIONS,
  });
  client.on('error', (error) => parts.log('debug', `The connection of the start was lost: ${error.message}`));
  await client.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query(`select from pg_roles where rolname = '${APPLICATION_USER}'`);
    if (rows.length === 0) await client.query(`create role ${APPLICATION_USER}`);
    // `writePassword` makes no character that would end the text.
    await client.query(`alter role ${APPLICATION_USER} with ${ORDINARY} password '${password}'`);
    await client.query(`alter database ${DATABASE_NAME} owner to ${APPLICATION_USER}`);
    await client.query(`grant usage, create on schema public to ${APPLICATION_USER}`); // servers before 15 do not by ownership
    const { rows: moves } = await client.query<{ statement: string }>(MOVES);
    for (const { statement } of moves) await client.query(statement);
    await client.query('commit');
    if (moves.length > 0)
      parts.log('info', `Gave ${moves.length} objects of the database to the user ${APPLICATION_USER}.`);
  } finally {
    await client.end(); // ends what was not committed
  }
  return password;
}

const ORDINARY = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';

/** One statement for each object of ours that another role owns. What goes with a table is left out: it follows. */
const MOVES = `
  with ours as (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'),
  owner as (select oid from pg_roles where rolname = '${APPLICATION_USER}'),
  things as (
    select 0 as rank, 'schema' as kind, quote_ident(nspname) as name from pg_namespace, owner
    where pg_namespace.oid in (select oid from ours) and nspname <> 'public' and nspowner <> owner.oid
    union all
    select 1, case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view'
      when 'c' then 'type' else 'table' end, pg_class.oid::regclass::text
    from pg_class, owner
    where relnamespace in (select oid from ours) and relkind in ('r', 'p', 'S', 'v', 'm', 'c') and relowner <> owner.oid
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid
        and (deptype = 'e' or relkind = 'S' and deptype in ('a', 'i')))
    union all
    select 2, 'routine', pg_proc.oid::regprocedure::text from pg_proc, owner
    where pronamespace in (select oid from ours) and proowner <> owner.oid
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
    union all
    select 2, 'type', format_type(pg_type.oid, null) from pg_type, owner
    where typnamespace in (select oid from ours) and typtype in ('e', 'd', 'r') and typowner <> owner.oid
      and not exists (select from pg_depend where classid = 'pg_type'::regclass and objid = pg_type.oid and deptype = 'e')
  )
  select format('alter %s %s owner to ${APPLICATION_USER}', kind, name) as statement from things order by rank, name`;

/** The file appears by a rename, so it is whole or absent. A restored backup has none and gets another password. */
async function readPassword({ home, account }: RoleParts): Promise<string> {
  const path = join(home, PASSWORD_FILE);
  const known = await readFile(path, 'utf8').catch(() => '');
  if (/^[\w-]{32}\n$/.test(known)) return known.trim();
  await writePassword(`${path}.new`, account);
  await rename(`${path}.new`, path);
  return (await readFile(path, 'utf8')).trim();
}

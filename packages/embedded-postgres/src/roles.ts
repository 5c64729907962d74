/**
 * Sets up the role that Drover works as on its own server: the owner of its database and no more. A superuser could
 * read and write files of the machine and start programs by a statement. See docs/adr/0001-one-postgres-everywhere.md.
 */
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '@drover/base';
import { type Account } from './account.ts';
import { DATABASE_NAME, writePassword } from './server/cluster.ts';
import { asSuperuser } from './superuser.ts';

/**
 * The role that owns the database and everything in it. The title of each server process of a connection has it, so it holds no word by which
 * an agent ends its own programs (docs/adr/0023-one-user-guard-rails-and-a-cage.md).
 */
export const APPLICATION_USER = 'fleet_app';

const PASSWORD_FILE = 'application-password';

/** Inputs for making the role; `superuser` is the superuser's connection string. */
export type RoleParts = {
  readonly home: string;
  readonly account: Account;
  readonly superuser: string;
  readonly log: Log;
};

/**
 * Makes the role, in one transaction. Safe to repeat.
 *
 * @returns the role's password.
 * @throws what Postgres or the disk says.
 */
export async function prepareApplicationRole(parts: RoleParts): Promise<string> {
  const password = await readPassword(parts);
  await asSuperuser(
    { connectionString: parts.superuser, applicationName: 'drover-roles', log: parts.log },
    async (client) => {
      await client.query('begin');
      const { rows } = await client.query(`select from pg_roles where rolname = '${APPLICATION_USER}'`);
      if (rows.length === 0) await client.query(`create role ${APPLICATION_USER}`);
      // `writePassword` makes no character that would end the text.
      await client.query(`alter role ${APPLICATION_USER} with ${ORDINARY} password '${password}'`);
      await client.query(`alter database ${DATABASE_NAME} owner to ${APPLICATION_USER}`);
      await client.query(`grant usage, create on schema public to ${APPLICATION_USER}`); // servers before 15 do not by ownership
      await client.query('commit');
    },
  );
  return password;
}

const ORDINARY = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';

/** The file appears by a rename, so it is whole or absent. A restored backup has none and gets another password. */
async function readPassword({ home, account }: RoleParts): Promise<string> {
  const path = join(home, PASSWORD_FILE);
  const known = await readFile(path, 'utf8').catch(() => '');
  if (/^[\w-]{32}\n$/.test(known)) return known.trim();
  await writePassword(`${path}.new`, account);
  await rename(`${path}.new`, path);
  return (await readFile(path, 'utf8')).trim();
}

// Tests what Drover's connection may do on its own server, and who owns what a backup brings back.
import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { homeOf } from '../src/place.ts';
import { restoreBackup } from '../src/backups/restore.ts';
import { query, start, temporaryDirectory } from '../src/testing/clusters.ts';

const NOON = Date.UTC(2026, 10, 22, 12);

test('given the connection of the application, when it reaches for files, programs or rights, then the server refuses', async () => {
  await using directory = await temporaryDirectory();
  await using postgres = await start(join(directory.path, 'data'));
  const refused = [
    `copy (select 1) to program 'touch /tmp/never'`,
    `create table taken (line text); copy taken from '/etc/passwd'`,
    `select pg_read_file('/etc/passwd')`,
    `select pg_ls_dir('.')`,
    `select lo_import('/etc/passwd')`,
    `create role other superuser`,
    `alter role fleet_app superuser`,
    `create database other`,
    `alter system set archive_command = 'true'`,
    `set session authorization drover`,
    `select rolpassword from pg_authid`,
  ];

  const answers = await Promise.all(
    refused.map((statement) =>
      query(postgres.connectionString, statement).then(String, (error: unknown) => String(error)),
    ),
  );

  const [role] = await query(
    postgres.connectionString,
    `select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = current_user`,
  );
  expect(answers.filter((answer) => !/denied|permission|must be/.test(answer))).toEqual([]);
  expect(Object.values(role ?? {})).toEqual([false, false, false, false, false]);
});

test('given a backup, when it is restored, then everything in it belongs to the application, which works on it', async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const postgres = await start(dataDir);
  await query(
    postgres.connectionString,
    `create table projects (id serial primary key);
     create type mood as enum ('well');
     create function one() returns int language sql as 'select 1'`,
  );
  await postgres.backUp(NOON);
  await postgres.stop();
  await restoreBackup({
    dataDir,
    date: '2026-11-22',
    now: NOON,
    log: () => {},
  });
  await using restored = await start(dataDir);
  await query(restored.connectionString, 'alter table projects add column more int');

  expect(await query(restored.connectionString, FOREIGN_OWNERS)).toEqual([]);
});

test('given a function of the application with the name of one of the server, when a superuser connects, then it does not run', async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const postgres = await start(dataDir);
  await query(postgres.superuserConnectionString, 'create table of_the_superuser (id int)'); // so that there is something to move
  await query(
    postgres.connectionString,
    `alter database postgres set search_path = public, pg_catalog;
     create function format(text, text, text) returns text language plpgsql as
     $$ begin alter role fleet_app superuser; return pg_catalog.format($1, $2, $3); end $$;
     create function pg_backup_start(text, boolean) returns pg_lsn language plpgsql as
     $$ begin alter role fleet_app superuser; return null; end $$`,
  );
  await postgres.stop();

  await using again = await start(dataDir);
  await again.backUp(NOON);

  const asked = `select rolsuper from pg_roles where rolname = 'fleet_app'`;
  expect(await query(again.connectionString, asked)).toEqual([{ rolsuper: false }]);
});

test('given a started cluster, when its files are read, then passwords are private and in no arguments or logs', async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  await using postgres = await start(dataDir);
  const home = await homeOf(dataDir);

  const passwords: string[] = [];
  for (const name of (await readdir(home)).filter((one) => one.includes('password'))) {
    const path = join(home, name);
    expect({ name, mode: (await stat(path)).mode & 0o777 }).toEqual({ name, mode: 0o600 });
    passwords.push((await readFile(path, 'utf8')).trim());
  }
  const log = await readFile(join(home, 'server.log'), 'utf8');
  const processes = await argumentsOfAll();

  expect(passwords).toHaveLength(2);
  expect(passwords.filter((one) => log.includes(one) || processes.includes(one))).toEqual([]);
  expect(new URL(postgres.connectionString).password).toBe(
    passwords.find((one) => postgres.connectionString.includes(one)),
  );
});

const FOREIGN_OWNERS = `
  select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relowner <> 'fleet_app'::regrole
  union all select typname from pg_type where typnamespace = 'public'::regnamespace and typowner <> 'fleet_app'::regrole
  union all select proname from pg_proc where pronamespace = 'public'::regnamespace and proowner <> 'fleet_app'::regrole
  union all select datname from pg_database where datname = current_database() and datdba <> 'fleet_app'::regrole`;

async function argumentsOfAll(): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  execFile('ps', ['-ww', '-eo', 'args'], { maxBuffer: 2 ** 24 }, (error, stdout) =>
    error === null ? resolve(stdout) : reject(error),
  );
  return promise;
}

// Runs two Postgres servers, the second following the first, as people set up a standby. Either can be killed, the
// second promoted.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock, waitFor } from '@drover/base';
import { Client } from 'pg';
import { accountForNewCluster, giveTo } from '../account.ts';
import type { Account } from '../account.ts';
import { defaultSearch, findBinaries } from '../binaries/binaries.ts';
import { runProgram, SERVER_ENVIRONMENT, spawnIdentity } from '../run-program.ts';
import { temporaryDirectory } from './clusters.ts';

const WITHIN_MS = 120_000;

/** A primary with a standby that has each commit before it is acknowledged. */
export interface Replicated extends AsyncDisposable {
  /** Names both, the primary first. */
  readonly url: string;
  /** Ends the primary as a power cut does. */
  killPrimary(): Promise<void>;
  promoteStandby(): Promise<void>;
}

export async function startReplicated(): Promise<Replicated> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await temporaryDirectory());
  const account = await accountForNewCluster(() => {});
  const search = await defaultSearch(process.env['PATH'] ?? '');
  const stagingDirectory = join(path, 'programs');
  await mkdir(stagingDirectory, { mode: 0o755 });
  const { binDir } = await findBinaries(search, { account, clusterMajor: undefined, stagingDirectory, log: () => {} });
  const [first, second] = [join(path, 'a'), join(path, 'b')];
  for (const home of [first, second]) {
    await mkdir(home, { mode: 0o711 });
    await giveTo(account, home);
  }
  const data = join(first, 'data');
  const args = ['--pgdata', data, '--username', 'postgres', '--auth', 'trust', '--no-sync'];
  const made = await runProgram(join(binDir, 'initdb'), args, { account, timeoutMs: WITHIN_MS });
  if (made.kind !== 'exited' || made.status !== 0) throw new Error(`initdb: ${JSON.stringify(made)}`);
  const primary = stack.use(await startServer({ binDir, home: first, account }));

  const begun = await openClient(first);
  await begun.query("select pg_backup_start('standby', true)");
  await cp(data, join(second, 'data'), {
    recursive: true,
    filter: (source) => !/postmaster\.(?:pid|opts)$/u.test(source),
  });
  const { rows } = await begun.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await begun.end();
  await writeFile(join(second, 'data/backup_label'), rows[0]?.labelfile ?? '');
  await writeFile(join(second, 'data/standby.signal'), '');
  await appendFile(
    join(second, 'data/postgresql.auto.conf'),
    `primary_conninfo = 'host=${first} user=postgres application_name=standby'\n`,
  );
  await ownAll(join(second, 'data'), account);
  const standby = stack.use(await startServer({ binDir, home: second, account }));
  const admin = await openClient(first);
  await until('the standby to follow', async () => {
    const { rowCount } = await admin.query("select 1 from pg_stat_replication where state = 'streaming'");
    return (rowCount ?? 0) > 0;
  });
  await admin.query("alter system set synchronous_standby_names = 'standby'");
  await admin.query('select pg_reload_conf()');
  await until('commits to wait for the standby', async () => {
    const { rows: states } = await admin.query<{ sync_state: string }>('select sync_state from pg_stat_replication');
    return states[0]?.sync_state === 'sync';
  });
  await admin.end();
  const owned = stack.move();
  return {
    url: `postgres://postgres@${encodeURIComponent(first)},${encodeURIComponent(second)}/postgres?target_session_attrs=read-write`,
    killPrimary: primary.kill,
    promoteStandby: async () => {
      const client = await openClient(second);
      await client.query('select pg_promote()');
      await client.end();
    },
    [Symbol.asyncDispose]: async () => {
      await standby.kill();
      await owned.disposeAsync();
    },
  };
}

interface Plan {
  readonly binDir: string;
  readonly home: string;
  readonly account: Account;
}

async function startServer({ binDir, home, account }: Plan): Promise<AsyncDisposable & { kill(): Promise<void> }> {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: home,
    wal_level: 'replica',
    hot_standby: 'on',
    wal_keep_size: '256MB',
    synchronous_commit: 'on',
    fsync: 'off', // processes are killed here and not the power
    shared_buffers: '16MB',
    // Keeps shared memory in the data directory, which the test removes. A killed server leaves its segments in
    // /dev/shm until the next boot.
    dynamic_shared_memory_type: 'mmap',
  };
  const args = [
    '-D',
    join(home, 'data'),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  const child = spawn(join(binDir, 'postgres'), args, {
    ...spawnIdentity(account),
    cwd: '/',
    env: SERVER_ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4_000)));
  await until('the server to answer', async () => {
    if (child.exitCode !== null) throw new Error(`The server ended:\n${said}`);
    const client = await openClient(home).catch(() => null);
    await client?.end();
    return client !== null;
  });
  const kill = (): Promise<void> => killAll(child);
  return { kill, [Symbol.asyncDispose]: kill };
}

/** Kills a process with its children, which are of its group. */
async function killAll(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await gone;
}

async function openClient(home: string): Promise<Client> {
  const client = new Client({ host: home, user: 'postgres', database: 'postgres', connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function ownAll(directory: string, account: Account): Promise<void> {
  await chmod(directory, 0o700);
  if (account.kind !== 'other') return;
  const moved = await runProgram('chown', ['-R', `${account.uid}:${account.gid}`, directory], {
    account: { kind: 'self' },
    timeoutMs: WITHIN_MS,
  });
  if (moved.kind !== 'exited' || moved.status !== 0) throw new Error(`chown: ${JSON.stringify(moved)}`);
}

async function until(what: string, is: () => Promise<boolean>): Promise<void> {
  const done = await waitFor(systemClock, async () => ((await is()) ? true : undefined), {
    withinMs: WITHIN_MS,
    everyMs: 50,
  });
  if (done === undefined) throw new Error(`Waited ${WITHIN_MS} ms in vain for ${what}`);
}

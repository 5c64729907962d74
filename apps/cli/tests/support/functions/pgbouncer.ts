/** PgBouncer in transaction mode before a Postgres server. */
import { spawn, spawnSync } from 'node:child_process';
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '../../../../../tools/fleet/place.ts';
import { endProcess, output } from '../../../../../tools/fleet/processes.ts';
import { until } from '../../../../../tools/fleet/wait.ts';

/** Debian keeps it in a directory that only root has on its path. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`;

/** A running one, as in the test matrix; undefined: the test starts its own. */
const RUNNING = process.env['TEST_POOLER_URL'];

/** Tells whether there is a PgBouncer. */
export function hasPgBouncer(): boolean {
  if (RUNNING !== undefined) return true;
  return spawnSync('pgbouncer', ['--version'], { env: { PATH } }).status === 0;
}

/** A running pooler, until it is disposed. */
export interface Pooler extends AsyncDisposable {
  /** Address of the same database, through the pooler. */
  readonly url: string;
}

/** @param directory An empty place for its files, which every user may enter. */
export async function startPgBouncer(databaseUrl: string, directory: string): Promise<Pooler> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  if (RUNNING !== undefined) return { url: `${RUNNING}${pathname}`, [Symbol.asyncDispose]: () => Promise.resolve() };
  // A socket's directory is the percent-encoded host, and only its owner may enter it.
  const host = decodeURIComponent(hostname);
  const { uid, gid } = host.startsWith('/') ? await stat(host) : { uid: 65_534, gid: 65_534 };
  const own = await freePort();
  await mkdir(directory, { mode: 0o755 });
  await chmod(directory, 0o755); // whatever the umask is: root starts it as another user
  const users = path.join(directory, 'users.txt');
  await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`, { mode: 0o644 });
  const settings = path.join(directory, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `* = host=${host} port=${port || '5432'}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${own}`,
    'unix_socket_dir =',
    'auth_type = plain',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    'default_pool_size = 5',
    'max_client_conn = 100',
  ];
  await writeFile(settings, `${lines.join('\n')}\n`, { mode: 0o644 });
  for (const file of [users, settings]) await chmod(file, 0o644);
  const as = process.getuid?.() === 0 ? { uid, gid } : {};
  const child = spawn('pgbouncer', [settings], {
    ...as,
    env: { PATH },
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = output(child);
  await until('PgBouncer to serve', () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended:\n${said()}`);
    return said().includes('process up') ? true : undefined;
  });
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${own}${pathname}`,
    [Symbol.asyncDispose]: async () => void (await endProcess(child, 'SIGINT')),
  };
}

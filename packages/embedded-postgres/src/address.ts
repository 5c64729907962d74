// The address of the server, which only programs on this machine reach.
import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Account, giveTo } from './account.ts';
import { DATABASE_NAME } from './server/cluster.ts';

/** A unix socket in a directory that only the server's user may enter; on Windows, which has none, loopback TCP. */
export type Address =
  | { readonly kind: 'socket'; readonly directory: string; readonly temporary: boolean }
  | { readonly kind: 'loopback'; readonly port: number };

/**
 * The longest directory of a socket, in bytes: a socket's path has at most 103 bytes and a zero on macOS (107 on Linux),
 * and the server appends `/.s.PGSQL.5432`. Source: `sun_path` in sys/un.h of both.
 */
export const SOCKET_DIRECTORY_BYTES_MAX = 103 - '/.s.PGSQL.5432'.length;

/** Makes the socket's directory: in the cluster's home, or a temporary one where that path is too long. */
export async function makeAddress(home: string, account: Account): Promise<Address> {
  if (process.platform === 'win32') return { kind: 'loopback', port: await freePort() };
  const wanted = join(home, 'run');
  if (Buffer.byteLength(wanted) <= SOCKET_DIRECTORY_BYTES_MAX) {
    await mkdir(wanted, { recursive: true, mode: 0o700 });
    await giveTo(account, wanted);
    return { kind: 'socket', directory: wanted, temporary: false };
  }
  // Avoids TMPDIR, which may be another user's. A directory in `/tmp` only its owner moves; its mode is 0700.
  const directory = await mkdtemp('/tmp/fleet-');
  await giveTo(account, directory);
  return { kind: 'socket', directory, temporary: true };
}

/** Removes a temporary directory of a socket once its server is gone. */
export async function removeAddress(address: Address): Promise<void> {
  if (address.kind === 'socket' && address.temporary) await rm(address.directory, { recursive: true, force: true });
}

/** The server settings that make it listen there and nowhere else. */
export function addressSettings(address: Address): Readonly<Record<string, string>> {
  if (address.kind === 'loopback') {
    return { listen_addresses: '127.0.0.1', port: String(address.port), unix_socket_directories: '' };
  }
  return { listen_addresses: '', unix_socket_directories: address.directory, unix_socket_permissions: '0700' };
}

/** A URL that `pg`, libpq and `new URL` all understand: the socket's directory is the percent-encoded host. */
export function connectionStringFor(
  address: Address,
  { user, password }: { readonly user: string; readonly password: string },
): string {
  const host = address.kind === 'socket' ? encodeURIComponent(address.directory) : `127.0.0.1:${address.port}`;
  return `postgres://${user}:${encodeURIComponent(password)}@${host}/${DATABASE_NAME}`;
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

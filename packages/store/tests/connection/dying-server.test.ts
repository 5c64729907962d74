// Tests that the process goes on when one of several servers dies as soon as a connection is there.
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/connection/connect.ts';
import { failureKind } from '../../src/connection/errors.ts';

const LENGTH_BYTES = 4;

/** A message of the server: its letter, its length, its content (PostgreSQL, "Message Formats"). */
function message(letter: string, content: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeInt32BE(content.length + LENGTH_BYTES);
  return Buffer.concat([Buffer.from(letter), length, content]);
}

const AUTHENTICATED = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));
const DYING = message(
  'E',
  Buffer.from('SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0'),
);

/** A server that takes each connection, and dies at once or when it is asked something. */
async function startDying(when: 'at once' | 'when it is asked'): Promise<number> {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      if (when === 'at once') return void socket.end(Buffer.concat([AUTHENTICATED, READY, DYING]));
      socket.write(Buffer.concat([AUTHENTICATED, READY]));
      socket.once('data', () => socket.end(DYING));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test.each(['at once', 'when it is asked'] as const)(
  'given two servers that die %s, when a statement is sent, then it fails as one whose connection was lost, and nothing else happens',
  async (when) => {
    const port = await startDying(when);
    const url = `postgres://me@127.0.0.1:${port},127.0.0.1:${port}/drover`;
    await using connection = connect(url, { log: () => {}, maxConnections: 1 });

    const failure = await sql`select 1`.execute(connection.db).catch((error: unknown) => error);

    expect(failureKind(failure)).toBe('lost-connection');
  },
);

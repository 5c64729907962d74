/** Sends bytes over a plain socket, as a stranger would, and collects the answer until the peer closes. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { systemClock } from '@drover/base';

/** Milliseconds to wait at most for the peer to close. */
const CLOSE_MS = 20_000;

/** A connection whose answer is collected. */
export interface RawLine {
  readonly socket: Socket;
  /** Returns everything received so far. */
  readonly heard: () => string;
  /** Resolves when the peer has closed the connection. */
  readonly closed: Promise<string>;
  /** Resolves when the received text matches `what`, or the peer has closed. */
  readonly until: (what: RegExp) => Promise<void>;
}

/** Opens a connection to the host and port of `url`. */
export async function openRaw(url: string): Promise<RawLine> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const parts: Buffer[] = [];
  const heard = (): string => Buffer.concat(parts).toString('latin1');
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(heard())));
  await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', resolve));
  const until = (what: RegExp): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => void (what.test(heard()) && resolve());
      socket.on('data', check).once('close', () => resolve());
      check();
    });
  return { socket, heard, closed, until };
}

/** Sends the bytes and waits until the peer closes. @returns the whole answer. @throws when the connection stays open. */
export async function sendRaw(url: string, text: string | Buffer): Promise<string> {
  const line = await openRaw(url);
  line.socket.write(typeof text === 'string' ? Buffer.from(text, 'latin1') : text);
  const { promise: late, reject } = Promise.withResolvers<never>();
  const cut = systemClock.after(CLOSE_MS, () => {
    line.socket.destroy();
    reject(new Error(`The peer has not closed: ${line.heard()}`));
  });
  return Promise.race([line.closed, late]).finally(cut);
}

/** Builds a request to upgrade, with a loopback Host unless `headers` has another one. */
export function upgradeTo(path: string, headers: Readonly<Record<string, string>> = {}): string {
  const all = {
    host: '127.0.0.1',
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  };
  return requestOf(`GET ${path}`, all);
}

/** Builds a request without a body; `line` is its method and target. */
export function requestOf(line: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** Writes a refusal, with or without a response. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Refusal } from '../../door/request-check.ts';

/** Answers where there is no response yet. Does not wait for the peer. */
export function endWith(socket: Duplex, refusal: Refusal): void {
  if (socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const lines = Object.entries(headersOf(refusal)).map(([name, value]) => `${name}: ${value}\r\n`);
  const { status } = refusal;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${bodyOf(refusal)}`);
  (socket as Socket).destroySoon();
}

export function headersOf(refusal: Refusal): Readonly<Record<string, string>> {
  return {
    connection: 'close',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(bodyOf(refusal))),
    ...(refusal.retryAfterMs !== undefined && { 'retry-after': String(Math.ceil(refusal.retryAfterMs / 1_000)) }),
  };
}

export function bodyOf({ code, message }: Refusal): string {
  return JSON.stringify({ code, message });
}

/** Verifies the listener at an address before anything secret is sent: on one computer, any user may take a free port. */
import { randomBytes } from 'node:crypto';
import type { Agent, ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { isLoopback, readListener } from '@drover/protocol/loopback';

/** The listener that a token may be sent to. */
export interface Expected {
  /** The coordinator's identity. */
  readonly coordinator: string;
  /** True without a tunnel or proxy in between: then the listener sees the connection at the dialled address. */
  readonly isDirect: boolean;
  /** Advice for a person if the coordinator does not listen there. */
  readonly advice: string;
}

/** Another program listens, or one that proves nothing. Nothing secret was sent to it. */
export class ListenerError extends Error {
  override readonly name = 'ListenerError';
}

/** Tells whether the listener must prove its identity. TLS proves it; tokens in clear text over a network are sent only if a person forces that. */
export function needsProof(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && isLoopback(hostname);
}

/** A connection whose other end has proved its identity. Disposing ends the connection, unless it has become a WebSocket. */
export interface ProvenConnection extends Disposable {
  readonly agent: Agent;
  readonly coordinator: string;
  /** Guards each request on this connection: a request that would use another connection fails and sends nothing. */
  readonly guard: (request: ClientRequest) => void;
}

/**
 * Connects, and asks the listener for its identity.
 *
 * @param expected Null: any proven listener is accepted, and named.
 * @throws {ListenerError} or the error of a connection that failed.
 */
export async function connectProven(
  url: string,
  {
    expected,
    timeoutMs,
    signal = AbortSignal.timeout(timeoutMs),
  }: { readonly expected: Expected | null; readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<ProvenConnection> {
  // `import` would load too much: see http-adapter.ts.
  const { Agent, request } = process.getBuiltinModule('node:http');
  const { origin, host } = new URL(url);
  const advice = expected?.advice ?? 'check the address';
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const salt = randomBytes(24).toString('base64url');
  try {
    const { socket, text } = await new Promise<{ socket: Socket; text: string }>((resolve, reject) => {
      const asked = request(`${origin}/agent/listener?salt=${salt}`, { agent, signal }, (response) => {
        const { socket } = response;
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
          if (text.length > ANSWER_CHARS_MAX) response.destroy(unproven(host, advice));
        });
        response.on('error', reject);
        response.on('end', () => resolve({ socket, text }));
      });
      asked.on('error', reject);
      asked.end();
    });
    const found = readListener(parse(text), salt);
    if (found === null || (expected?.isDirect === true && found.at !== `${socket.remoteAddress}:${socket.remotePort}`))
      throw unproven(host, advice);
    if (expected !== null && found.coordinator !== expected.coordinator)
      throw new ListenerError(
        `An unexpected coordinator listens at ${host}: expected ${expected.coordinator}, but ${found.coordinator} answers. No token was sent: ${advice}`,
      );
    return {
      agent,
      coordinator: found.coordinator,
      guard: (sent) => void sent.once('socket', (used) => used !== socket && sent.destroy(connectionLost())),
      [Symbol.dispose]: () => agent.destroy(),
    };
  } catch (error) {
    agent.destroy();
    throw error;
  }
}

/** Characters of an answer that are read: a proof has fewer. */
const ANSWER_CHARS_MAX = 10_000;

function unproven(host: string, advice: string): ListenerError {
  return new ListenerError(
    `The server at ${host} does not prove that it is a Drover coordinator: another user of this computer may have taken the port. No token was sent: ${advice}`,
  );
}

/** Makes the error of a lost connection, because callers know how to handle that. */
function connectionLost(): Error {
  return Object.assign(new Error('the connection was lost'), { code: 'ECONNRESET' });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

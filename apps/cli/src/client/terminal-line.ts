/** A connection to the coordinator for one terminal: a ticket for it, then a WebSocket. */
import type { ClientRequest } from 'node:http';
import {
  ALIVE_EVERY_MS,
  screenMessage,
  SILENT_MS,
  TERMINAL_PATHS,
  TERMINAL_TICKET_HEADER,
  type PersonMessage,
  type ScreenMessage,
} from '@drover/protocol';
import { WebSocket } from 'ws';
import type { Surroundings } from '../surroundings.ts';
import { askAt, placeOf } from './client.ts';
import { connectProven } from './listener-adapter.ts';
import type { ProvenConnection } from './listener-adapter.ts';

/** Milliseconds until the connection must be open. */
const OPEN_MS = 10_000;
/** Maximum bytes of one message of a machine: a screen. */
const MESSAGE_BYTES_MAX = 2 * 1_048_576;

/** Facts about the worker at the other end. */
export interface TerminalWho {
  readonly worker: string;
  readonly machine: string;
}

/** The reason that the other end gives when it closes. */
interface LastWord {
  readonly code: string;
  readonly message: string;
}

/** An open connection to a terminal. */
export interface TerminalLine extends TerminalWho {
  send(message: PersonMessage): void;
  /** Resolves when the connection is over: with the last message of the other end, or null if the connection was lost. */
  readonly over: Promise<LastWord | null>;
  close(): void;
}

/** Asks for a ticket and connects. @throws {CommandError} with the coordinator's message; any other error: no connection, retry. */
export async function openTerminalLine(
  surroundings: Surroundings,
  { name, types }: { readonly name: string; readonly types: boolean },
  onMessage: (message: ScreenMessage) => void,
): Promise<TerminalLine> {
  const place = await placeOf(surroundings);
  const { worker, machine, ticket } = await askAt(surroundings, place, (client) =>
    types ? client.terminals.type.mutate({ name }) : client.terminals.watch.mutate({ name }),
  );
  const { expected } = place;
  using proven = expected === undefined ? null : await connectProven(place.url, { expected, timeoutMs: OPEN_MS });
  const socket = new WebSocket(`${place.url.replace(/^http/u, 'ws')}${TERMINAL_PATHS.person}`, {
    headers: { authorization: `Bearer ${place.token}`, [TERMINAL_TICKET_HEADER]: ticket },
    perMessageDeflate: false,
    maxPayload: MESSAGE_BYTES_MAX,
    handshakeTimeout: OPEN_MS,
    ...(proven !== null && { agent: proven.agent, finishRequest: guarded(proven) }),
  });
  let lastWord: LastWord | null = null;
  let heardAt = surroundings.now();
  const send = (message: PersonMessage): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
  };
  const isOver = new AbortController();
  const over = new Promise<LastWord | null>((resolve) => {
    socket.on('close', () => {
      isOver.abort();
      resolve(lastWord);
    });
  });
  socket.on('message', (data) => {
    heardAt = surroundings.now();
    const { success, data: message } = screenMessage.safeParse(readJson(String(data)));
    if (!success) {
      lastWord = {
        code: 'bad-message',
        message: 'this drover cannot read the answer of the machine: update the older of the two',
      };
      socket.close();
    } else if (message.kind === 'ended') lastWord = message;
    else onMessage(message);
  });
  await opened(socket);
  void keepAlive();
  return { worker, machine, send, over, close: () => socket.close() };

  /** Pings in both directions; a silent end counts as gone, whatever its connection says. */
  async function keepAlive(): Promise<void> {
    while (!isOver.signal.aborted) {
      await surroundings.sleep(ALIVE_EVERY_MS, isOver.signal);
      if (surroundings.now() - heardAt > SILENT_MS) socket.terminate();
      send({ kind: 'alive' });
    }
  }
}

function guarded({ guard }: ProvenConnection): (request: ClientRequest) => void {
  return (request) => {
    guard(request);
    request.end();
  };
}

function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('unexpected-response', (_request, response) => {
      reject(new Error(`the coordinator answers with status ${response.statusCode ?? 0}`));
      socket.terminate();
    });
    socket.on('open', () => resolve());
  });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

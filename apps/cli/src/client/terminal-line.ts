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

/** Milliseconds until it must be open. */
const OPEN_MS = 10_000;
/** Bytes of one message of a machine: a screen. */
const MESSAGE_BYTES_MAX = 2 * 1_048_576;

/** What it is connected to. */
export interface TerminalWho {
  readonly worker: string;
  readonly machine: string;
}

/** Why the other end closed it. */
interface LastWord {
  readonly code: string;
  readonly message: string;
}

/** One connection, as long as it lasts. */
export interface TerminalLine extends TerminalWho {
  send(message: PersonMessage): void;
  /** Resolves when it is over: with the last word of the other end, or null where the connection was lost. */
  readonly over: Promise<LastWord | null>;
  close(): void;
}

/** Asks for a ticket and connects. @throws {CommandError} what the coordinator says; any other error: no connection, try again. */
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
        message: 'the machine sent what this drover cannot read: update the older of the two',
      };
      socket.close();
    } else if (message.kind === 'ended') lastWord = message;
    else onMessage(message);
  });
  await opened(socket);
  void keepAlive();
  return { worker, machine, send, over, close: () => socket.close() };

  /** Both ends say that they are there; one that is silent is gone, whatever its connection says. */
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

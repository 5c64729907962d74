/** Ports of the bot: everything that a test replaces. */
import type { Clock, Log } from '@drover/base';

/** A request over HTTP. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or plain text. */
  readonly body?: string;
  /** Timeout of the whole request, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** The answer to a request. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
}

/** @throws if there is no answer. */
export type Http = (url: string, request: HttpRequest) => Promise<HttpAnswer>;

/** A WebSocket that is open or opening. */
export interface Socket {
  /** Sends a text; the text is lost if the socket is not open. */
  send(text: string): void;
  close(code?: number): void;
  /** Ends the socket without a close message. */
  terminate(): void;
}

/** Opens a socket. `closed` is called once, also if the socket never opened. */
export type OpenSocket = (
  url: string,
  handlers: {
    readonly message: (text: string) => void;
    readonly closed: (end: { readonly code: number; readonly reason: string }) => void;
  },
) => Socket;

/** The adapters of one bot. */
export interface Nature {
  readonly clock: Clock;
  readonly log: Log;
  readonly http: Http;
  readonly socket: OpenSocket;
  /** Random number in [0, 1). */
  readonly random: () => number;
}

/** The longest wait that a service may ask for, in milliseconds: a longer one is a mistake of the service. */
const AWAY_MAX_MS = 3_600_000;

/** Milliseconds until the service wants a retry; null: the service gives no valid time. */
export function againAfterMs(seconds: unknown): number | null {
  const given = typeof seconds === 'string' && seconds.trim() !== '' ? Number(seconds) : seconds;
  if (typeof given !== 'number' || Number.isNaN(given)) return null;
  return Math.ceil(Math.min(AWAY_MAX_MS, Math.max(0, given * 1_000)));
}

/** Pause after so many failures in a row: half a second, doubled to 15 s, a third more or less. */
export function backoffMs(failures: number, random: () => number): number {
  return Math.min(15_000, 500 * 2 ** Math.min(failures, 10)) * (0.67 + 0.67 * random());
}

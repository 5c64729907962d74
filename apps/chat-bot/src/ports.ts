/** What does the bot need of the world? Everything that a test replaces. */

/** Epoch milliseconds, and timers that can be cleared. */
export interface Clock {
  now(): number;
  /** Calls `run` once after `ms` milliseconds unless the returned function is called before. */
  after(ms: number, run: () => void): () => void;
}

/** How much a line of the log matters. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
/** Writes one line. It may hold no secret. */
export type Log = (level: LogLevel, message: string) => void;

/** One request over HTTP. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or text as it is. */
  readonly body?: string;
  /** The whole request may take so long, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** The answer to one. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
}

/** @throws when there is no answer. */
export type Http = (url: string, request: HttpRequest) => Promise<HttpAnswer>;

/** A WebSocket that is open or opens. */
export interface Socket {
  /** Lost where it is not open. */
  send(text: string): void;
  close(code?: number): void;
  /** Ends it without a word. */
  terminate(): void;
}

/** Opens one. `closed` is called once, also when it never opened. */
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
  /** In [0, 1). */
  readonly random: () => number;
}

/** The longest time for which a service may send a bot away, in milliseconds: what says more has lost its clock or its mind. */
const AWAY_MAX_MS = 3_600_000;

/** Milliseconds until a service wants to be asked again; null: it says nothing that can be read. */
export function againAfterMs(seconds: unknown): number | null {
  const given = typeof seconds === 'string' && seconds.trim() !== '' ? Number(seconds) : seconds;
  if (typeof given !== 'number' || Number.isNaN(given)) return null;
  return Math.ceil(Math.min(AWAY_MAX_MS, Math.max(0, given * 1_000)));
}

/** Resolves after `ms`, or when the signal aborts. */
export function pause({ clock }: Pick<Nature, 'clock'>, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal.addEventListener('abort', done);
  });
}

/** The pause after so many failures in a row: half a second, doubled to 15 s, a third more or less. */
export function backoffMs(failures: number, random: () => number): number {
  return Math.min(15_000, 500 * 2 ** Math.min(failures, 10)) * (0.67 + 0.67 * random());
}

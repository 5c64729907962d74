// Listens for NOTIFY for the life of the process, over every loss of the connection.
import { addAbortListener } from 'node:events';
import { type LocalClock, type Log, pause, systemClock } from '@drover/base';
import type { Client } from 'pg';
import { CONNECT_TIMEOUT_MS } from './connect.ts';
import { clientOf, Servers } from './servers.ts';
import { backoffMs } from './retry.ts';

/** Milliseconds between two tests of a silent connection; a half-open one reports no error by itself. */
export const HEARTBEAT_MS = 30_000;

/** Milliseconds that the answer to a test may take. */
export const HEARTBEAT_TIMEOUT_MS = 10_000;

/** Options of a listener beside its channels. Its callbacks must not throw: a throw counts as a lost connection. */
export type ListenOptions = {
  readonly log: Log;
  /** Called after every (re)connection: earlier notifications are lost, so read the tables now. */
  readonly onResync: () => void;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: LocalClock | undefined;
  /** A number from 0 up to, but not including, 1; spreads the reconnections of many processes. */
  readonly random: () => number;
};

/** Listens until disposed (or until the signal aborts). */
export type Listener = AsyncDisposable;

/**
 * Listens on channels with a connection of its own, and reconnects with backoff and jitter whenever it is lost.
 * A notification is a hint: it may come twice or never, and everything must be right without it.
 *
 * @param channels In lower case, such as `due_work`: Postgres folds names that are not quoted.
 */
export function listen(
  connectionString: string,
  channels: readonly string[],
  { onNotify, ...options }: ListenOptions & { readonly onNotify: OnNotify },
): Listener {
  for (const channel of channels) {
    if (!/^[a-z_][a-z0-9_]{0,62}$/.test(channel)) throw new TypeError(`Not a channel name in lower case: "${channel}"`);
  }
  const closing = new AbortController();
  const signals = [closing.signal, ...(options.signal === undefined ? [] : [options.signal])];
  const servers = new Servers(connectionString);
  const run = keepListening({ servers, channels, onNotify, options, signal: AbortSignal.any(signals) });
  return {
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await run;
    },
  };
}

/** Called with each notification. */
type OnNotify = (channel: string, payload: string) => void;

type Listening = {
  readonly servers: Servers;
  readonly channels: readonly string[];
  readonly onNotify: OnNotify;
  readonly options: ListenOptions;
  readonly signal: AbortSignal;
};

async function keepListening(listening: Listening): Promise<void> {
  const { options, signal } = listening;
  const { log, clock = systemClock, random } = options;
  let failures = 0;
  while (!signal.aborted) {
    try {
      await listenOnce(listening, clock, () => (failures = 0));
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      log('warn', `Cannot receive notifications at the moment: ${String(error)}`, { failures });
      await pause(clock, backoffMs(failures, random), signal);
    }
  }
}

/** Connects, listens, and comes back only by an error or the signal. */
async function listenOnce(listening: Listening, clock: LocalClock, onListening: () => void): Promise<void> {
  const { servers, channels, onNotify, options, signal } = listening;
  const client = new (clientOf(servers))({
    connectionString: servers.current,
    application_name: 'drover-listen',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: HEARTBEAT_TIMEOUT_MS,
    keepAlive: true,
  });
  client.on('notification', ({ channel, payload = '' }) => onNotify(channel, payload));
  const lost = new AbortController();
  client.on('error', (error) => lost.abort(error));
  client.on('end', () => lost.abort(new Error('The connection ended')));
  const until = AbortSignal.any([signal, lost.signal]);
  try {
    await connectUnlessAborted(client, signal);
    for (const channel of channels) await client.query(`listen ${channel}`);
    onListening();
    options.onResync();
    for (;;) {
      await pause(clock, HEARTBEAT_MS, until);
      until.throwIfAborted();
      await client.query('select 1');
    }
  } finally {
    await close(client, clock);
  }
}

/** A server that accepts the connection and stays silent must not delay the close. */
async function connectUnlessAborted(client: Client, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = addAbortListener(signal, () => aborted.reject(signal.reason));
  try {
    await Promise.race([client.connect(), aborted.promise]);
  } finally {
    onAbort[Symbol.dispose]();
  }
}

/** A half-open connection never ends politely: after a second it is left to its timeouts. */
async function close(client: Client, clock: LocalClock): Promise<void> {
  const closed = new AbortController();
  await Promise.race([client.end().catch(() => {}), pause(clock, 1_000, closed.signal)]);
  closed.abort();
}

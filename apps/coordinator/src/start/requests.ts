/**
 * Runs a coordinator without a process of its own, for runtimes that start a function for a request and end or freeze it afterwards. Only
 * connections last from one request to the next: due work is done when machines sync, and when a scheduler asks (`POST /internal/tick`).
 * Limits of size hold; limits of rates, of connections and of time are the runtime's.
 */
import { DatabaseClock } from '../database/clock.ts';
import { openCoordinator } from './open.ts';
import type { OpenOptions } from './open.ts';
import { addressOf } from '../database/address.ts';
import type { DatabaseChoice } from '../database/address.ts';

/** Options of a composition root. The database must be migrated before: "drover server migrate". */
export type RequestsOptions = Omit<OpenOptions, 'stop' | 'project' | 'token'> & {
  readonly database: Extract<DatabaseChoice, { kind: 'url' }>;
};

/** Answers requests. Disposing it closes its connections. */
export interface Requests extends AsyncDisposable {
  /** Answers one request; any number at once. Never rejects. */
  fetch(request: Request): Promise<Response>;
}

/** Connections of one function: a sync needs one, and the work that it waits for another. */
const CONNECTIONS = 2;
const NOWHERE = { incoming: { socket: {} } };

/** @throws when the database does not answer. */
export async function openRequests({ database, ...options }: RequestsOptions): Promise<Requests> {
  await using stack = new AsyncDisposableStack();
  const stopping = new AbortController();
  const opened = stack.use(
    await openCoordinator(
      { ...options, stop: null, project: null, token: null },
      {
        ...addressOf(database),
        connections: CONNECTIONS,
        shareClock: (store) => DatabaseClock.open(options.clock, () => store.readClock()),
        due: () => {},
      },
    ),
  );
  stack.defer(() => stopping.abort());
  const app = opened.serve({ vouch: () => {}, stopping: stopping.signal, drainsOnSync: true });
  const running = stack.move();
  return {
    fetch: async (request) => app.fetch(request, NOWHERE),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/**
 * Turns typed calls into HTTP requests: one call, one request, one answer, in the form of tRPC. The types come from tRPC, but
 * its client is not used, because loading it takes a fifth of `drover status` (bench/status).
 */
import type { TRPCClient } from '@trpc/client';
import type { AppRouter } from '@drover/api';
import { connectionFailureText, isUnsent } from '@drover/protocol/connection-failure';
import type { Answer, Ask } from './http-adapter.ts';
import type { Expected } from './listener-adapter.ts';

/** The procedures of the coordinator: `client.workers.list.query()`. Calls reject with `CallError`. */
export type Client = TRPCClient<AppRouter>;

/** The address of the coordinator, and the way to ask it. */
export interface CallParts {
  /** Address of the coordinator, without a slash at its end. */
  readonly url: string;
  readonly token: string;
  /** The coordinator that must listen there; absent: TLS proves it. */
  readonly expected?: Expected | undefined;
  /** Further coordinators of the fleet, asked in turn if the previous one is not reached. Default: none. */
  readonly others?: readonly Address[];
  readonly http: Ask;
  readonly timeoutMs: number;
  /** Waits so many milliseconds before the call is retried. */
  readonly pause: (ms: number, why: Pause) => Promise<void>;
}

/** A coordinator, the token for it, and the identity of its listener: undefined if TLS proves it. */
export interface Address {
  readonly url: string;
  readonly token: string;
  readonly expected: Expected | undefined;
}

/** Reasons for a retry: the coordinator is asked too often, or a proxy finds none that serves. */
export type Pause = 'busy' | 'away';

/** A failed call. */
export class CallError extends Error {
  override readonly name = 'CallError';
  /** The reason of the coordinator's refusal; null if no coordinator answered. */
  readonly reason: string | null;

  constructor(reason: string | null, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Makes a client whose properties are the names of routers and procedures, down to `query` and `mutate`. */
export function createClient(parts: CallParts): Client {
  return procedures(parts, []) as Client;
}

function procedures(parts: CallParts, path: readonly string[]): object {
  // A function, because the last name of a path is called.
  return new Proxy(() => {}, {
    // A promise would be recognized by its `then`; no procedure has that name.
    get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : procedures(parts, [...path, name])),
    apply: (_, __, [input]: readonly unknown[]) =>
      send(parts, { path: path.slice(0, -1).join('.'), isMutation: path.at(-1) === 'mutate', input }),
  });
}

interface Call {
  readonly path: string;
  readonly isMutation: boolean;
  readonly input: unknown;
}

async function send(parts: CallParts, call: Call): Promise<unknown> {
  const body = await exchangeInTurn(parts, call).catch((error: unknown) => {
    throw new CallError(null, connectionFailureText(error), { cause: error });
  });
  if (isRecord(body) && isRecord(body['result'])) return body['result']['data'];
  const refusal = isRecord(body) ? body['error'] : undefined;
  // A refusal before any procedure is asked.
  if (isRecord(body) && typeof body['code'] === 'string' && typeof body['message'] === 'string')
    throw new CallError(body['code'], body['message']);
  if (!isRecord(refusal) || !isRecord(refusal['data']))
    throw new CallError(null, 'the server that answered is not a coordinator');
  throw new CallError(String(refusal['data']['reason']), String(refusal['message']));
}

/** Goes to the next coordinator if one is not reached, or if the call may be retried and gets no answer. */
async function exchangeInTurn({ others = [], ...parts }: CallParts, call: Call): Promise<unknown> {
  try {
    return await exchange(parts, call);
  } catch (error) {
    const [next, ...rest] = others;
    if (next === undefined || !(isUnsent(error) || isRepeatable(call))) throw error;
    return exchangeInTurn({ ...parts, ...next, others: rest }, call);
  }
}

/** Tells whether a repetition does nothing more: a query, or a request with an id, which the coordinator carries out once. */
function isRepeatable({ isMutation, input }: Call): boolean {
  return !isMutation || (isRecord(input) && 'requestId' in input);
}

/** Sends queries as GET requests with the input in the address, and mutations as POST requests with the input as the body. */
async function exchange({ url, token, expected, http, timeoutMs, pause }: CallParts, call: Call): Promise<unknown> {
  const { path, isMutation, input } = call;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const to = `${url}/trpc/${path}`;
  const text = input === undefined ? undefined : JSON.stringify(input);
  const query = text === undefined ? '' : `?input=${encodeURIComponent(text)}`;
  const ask = (): Promise<Answer> =>
    isMutation
      ? http(to, { method: 'POST', headers, body: text, timeoutMs, expected })
      : http(`${to}${query}`, { headers, timeoutMs, expected });
  const mayRepeat = isRepeatable(call);
  for (let tries = 1; ; tries += 1) {
    const answer = await ask().catch((error: unknown) => {
      if (!isBroken(error) || !mayRepeat) throw error;
      return ask();
    });
    const why = whyAgain(answer, mayRepeat);
    if (why === null || tries === TRIES_MAX) return read(answer);
    const wanted = answer.retryAfterSecs ?? (why === 'busy' ? 1 : tries);
    await pause(Math.min(PAUSE_MAX_MS, Math.max(1, wanted) * 1_000), why);
  }
}

const TOO_MANY_REQUESTS = 429;
/** Answers of a proxy whose coordinator is stopping while no other is asked yet. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);
/** Maximum number of tries of a repeatable call, and the longest pause between two, in milliseconds. */
const TRIES_MAX = 4;
const PAUSE_MAX_MS = 5_000;

function whyAgain({ status }: Answer, mayRepeat: boolean): Pause | null {
  if (status === TOO_MANY_REQUESTS) return 'busy';
  return AWAY.has(status) && mayRepeat ? 'away' : null;
}

/** Parses an answer; a proxy may answer with a page, or with nothing. */
async function read(answer: Answer): Promise<unknown> {
  return answer.json().catch((error: unknown) => {
    throw answer.ok ? error : new Error(`status ${answer.status}`);
  });
}

/**
 * Tells whether the connection was accepted and broke before an answer: the effect of the call is unknown. A query may
 * be retried, and so may a request with an id: the coordinator carries it out once.
 */
function isBroken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

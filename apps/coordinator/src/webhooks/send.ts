/**
 * Sends one webhook. X14: the host is resolved once, at every attempt; all of its addresses must be public; the connection goes to these
 * and no redirect is followed. So a name that changes its address does not lead into the coordinator's own network.
 */
import { lookup } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { type Clock, messageOf } from '@drover/base';
import { bare, isAllowed, isPublicAddress, urlProblem } from '../sending/addresses.ts';

/** Milliseconds for one attempt, from the first lookup to the status of the answer. Source: the Standard Webhooks specification. */
export const ATTEMPT_MS = 15_000;
/** Milliseconds that a receiver may ask to wait at most. */
const RETRY_AFTER_MS_MAX = 24 * 3_600_000;

/** Result of an attempt. */
export type Sent =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterMs: number | null }
  | { readonly kind: 'failed'; readonly error: string };

/** Resolves the addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Dependencies of sending. */
export interface SendParts {
  readonly clock: Pick<Clock, 'after' | 'now'>;
  /** Hosts that may be private and without TLS. */
  readonly allowed: readonly string[];
  readonly resolve?: Resolve;
}

/** Request of one attempt. */
export interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a message. Never throws. */
export async function send({ clock, allowed, resolve = byDns }: SendParts, message: Message): Promise<Sent> {
  const problem = urlProblem(message.url, allowed);
  if (problem !== null) return { kind: 'failed', error: problem };
  const url = new URL(message.url);
  const { promise: late, resolve: expire } = Promise.withResolvers<Sent>();
  const wires: { request?: ClientRequest } = {};
  const cancel = clock.after(ATTEMPT_MS, () => {
    wires.request?.destroy();
    expire({ kind: 'failed', error: `No answer within ${ATTEMPT_MS / 1_000} s` });
  });
  try {
    return await Promise.race([attempt(url, { clock, allowed, resolve, message, wires }), late]);
  } catch (error) {
    return { kind: 'failed', error: messageOf(error) };
  } finally {
    cancel();
    wires.request?.destroy();
  }
}

async function byDns(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
}

interface Attempt extends Required<SendParts> {
  readonly message: Message;
  readonly wires: { request?: ClientRequest };
}

async function attempt(url: URL, { clock, allowed, resolve, message, wires }: Attempt): Promise<Sent> {
  const host = bare(url.hostname);
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  if (addresses.length === 0) return { kind: 'failed', error: `"${host}" has no address` };
  const refused = isAllowed(url, allowed) ? undefined : addresses.find((address) => !isPublicAddress(address));
  if (refused !== undefined)
    return { kind: 'failed', error: `"${host}" is ${refused}, which is not public: Drover sends nothing there` };
  // Only the status counts: a receiver that has answered must not get the message again because its answer has no end.
  const response = await answered(url, { addresses, message, wires });
  const status = response.statusCode ?? 0;
  const retryAfterMs = retryAfterOf(response.headers['retry-after'], clock.now());
  return { kind: 'answered', status, retryAfterMs };
}

function answered(
  url: URL,
  { addresses, message, wires }: Pick<Attempt, 'message' | 'wires'> & { readonly addresses: readonly string[] },
): Promise<IncomingMessage> {
  const known = addresses.map((address) => ({ address, family: isIP(address) }));
  const options: RequestOptions = {
    method: 'POST',
    // The connection is not kept: it would go to the address of an earlier lookup.
    agent: false,
    lookup: (_host, { all }, done) => {
      const [first] = known;
      if (all === true) done(null, known);
      else done(null, first?.address ?? '', first?.family);
    },
    headers: { ...message.headers, 'content-length': Buffer.byteLength(message.body) },
  };
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? httpsRequest(url, options) : httpRequest(url, options);
    wires.request = request;
    request.once('response', resolve);
    request.on('error', reject);
    request.end(message.body);
  });
}

/** Parses `Retry-After`, in seconds or as a date. */
export function retryAfterOf(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const ms = /^\d{1,9}$/u.test(header.trim())
    ? Number(header) * 1_000
    : header.endsWith(' GMT')
      ? Date.parse(header) - now
      : NaN;
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), RETRY_AFTER_MS_MAX) : null;
}

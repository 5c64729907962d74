/** Guards the port: decides before a request is read who may come in, how often, and over how many connections. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock, LocalClock, Log } from '@drover/base';
import { addressesOf, callerOf } from './addresses.ts';
import type { Addresses } from './addresses.ts';
import { bearerSha256 } from '../context/bearer.ts';
import * as limits from './limits.ts';
import { Buckets } from './rates.ts';
import type { RateLeft } from './rates.ts';
import { RefusalLog } from './refusal-log.ts';
import { callsOf, checkRequest, quoted } from './request-check.ts';
import type { Refusal } from './request-check.ts';
import type { Hosts } from '../context/hosts.ts';
import { Strangers } from './strangers.ts';

export interface DoorParts {
  readonly hosts: Hosts;
  /** Addresses, or networks, whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  readonly elapsed: LocalClock['elapsed'];
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Log;
}

/** Tells the door that the token of this request was found valid. */
export type Vouch = (request: IncomingMessage) => void;

/** Holds a bounded number of addresses and tokens. */
export class Door implements Disposable {
  readonly #hosts: Hosts;
  readonly #trustedProxies: Addresses;
  readonly #elapsed: () => number;
  readonly #refusals: RefusalLog;
  readonly #strangers: Strangers;
  readonly #byAddress: Buckets;
  readonly #byToken: Buckets;
  /** Time at which a token was last found valid, oldest first. */
  readonly #known = new Map<string, number>();
  /** Open calls by token. */
  readonly #open = new Map<string, number>();

  constructor({ hosts, trustedProxies, elapsed, clock, log }: DoorParts) {
    this.#hosts = hosts;
    this.#trustedProxies = addressesOf(trustedProxies);
    this.#elapsed = elapsed;
    this.#refusals = new RefusalLog({ log, clock });
    this.#strangers = new Strangers(this.#trustedProxies, (address) =>
      this.note(`Closed the oldest connection of ${address}: too many connections without a token are open`),
    );
    this.#byAddress = new Buckets(limits.STRANGER_RATE, { max: limits.ADDRESSES_MAX, elapsed });
    this.#byToken = new Buckets(limits.TOKEN_RATE, { max: limits.TOKENS_MAX, elapsed });
  }

  /** Counts a new connection as a stranger's until a token is found valid. */
  connected(socket: Socket): void {
    this.#strangers.add(socket);
  }

  /** @returns the reason for a refusal; null: the request is served. */
  check(request: IncomingMessage): Refusal | null {
    const refusal = checkRequest(request, this.#hosts) ?? this.#tooOften(request);
    if (refusal !== null) {
      // A query may hold a link or a ticket.
      const asked = `${request.method ?? ''} ${quoted((request.url ?? '').replace(/\?.*$/su, '?…'))}`;
      this.note(`Refused ${asked} of ${this.#callerOf(request)}: ${refusal.message}`);
    }
    return refusal;
  }

  /** Counts the calls of a request while it is open. @returns a function to call when the request is over, or the reason for a refusal. */
  enter(request: IncomingMessage): (() => void) | Refusal {
    const token = bearerSha256(request.headers.authorization);
    if (token === null) return () => {};
    const calls = callsOf(request);
    const open = (this.#open.get(token) ?? 0) + calls;
    if (open > limits.CALLS_OF_TOKEN_MAX) {
      this.note(`Refused a request of ${this.#callerOf(request)}: ${TOO_MANY_OPEN.message}`);
      return TOO_MANY_OPEN;
    }
    this.#open.set(token, open);
    return () => {
      const left = (this.#open.get(token) ?? calls) - calls;
      if (left <= 0) this.#open.delete(token);
      else this.#open.set(token, left);
    };
  }

  /** Notes that this request's token is valid: the request counts for its token from now on, not for its address. */
  readonly vouch: Vouch = (request) => {
    this.#strangers.remove(request.socket);
    const token = bearerSha256(request.headers.authorization);
    if (token === null) return;
    if (!this.#isKnown(token)) this.#byAddress.giveBack(this.#callerOf(request), callsOf(request));
    this.#known.delete(token);
    this.#known.set(token, this.#elapsed());
    if (this.#known.size <= limits.TOKENS_MAX) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  };

  /** Notes a refusal. At most one refusal a second is logged. */
  note(what: string): void {
    this.#refusals.note(what);
  }

  /** Returns the number of calls that the caller still has. */
  leftOf(request: IncomingMessage): RateLeft {
    const token = bearerSha256(request.headers.authorization);
    return token !== null && this.#isKnown(token)
      ? this.#byToken.leftOf(token)
      : this.#byAddress.leftOf(this.#callerOf(request));
  }

  #tooOften(request: IncomingMessage): Refusal | null {
    const token = bearerSha256(request.headers.authorization);
    const isKnown = token !== null && this.#isKnown(token);
    const calls = callsOf(request);
    const waitMs = isKnown ? this.#byToken.take(token, calls) : this.#byAddress.take(this.#callerOf(request), calls);
    if (waitMs === 0) return null;
    const who = isKnown ? 'This token asks' : 'Too many requests without a valid token come';
    const from = isKnown ? 'too often' : 'from this address';
    return tooMany(`${who} ${from}: retry in ${Math.ceil(waitMs / 1_000)} s`, waitMs);
  }

  #isKnown(token: string): boolean {
    const at = this.#known.get(token);
    return at !== undefined && this.#elapsed() - at < limits.TOKEN_KNOWN_MS;
  }

  #callerOf(request: IncomingMessage): string {
    return callerOf(request, this.#trustedProxies);
  }

  [Symbol.dispose](): void {
    this.#refusals[Symbol.dispose]();
  }
}

function tooMany(message: string, retryAfterMs: number): Refusal {
  return { status: 429, code: 'too-many-requests', message, retryAfterMs };
}

const TOO_MANY_OPEN = tooMany(`A token may have at most ${limits.CALLS_OF_TOKEN_MAX} open calls: retry in 1 s`, 1_000);

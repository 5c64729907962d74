/**
 * Limits what the coordinator takes from its port, each number with its reason. The measure is a fleet of 500 machines behind one
 * address: all of them may come back at once.
 */

/** Milliseconds for the headers of a request to arrive: a client sends them in one packet. */
export const HEADERS_MS = 10_000;
/** Milliseconds for a whole request to arrive: 4 MiB over a line of 600 kbit/s. */
export const REQUEST_MS = 60_000;
/** Milliseconds that an idle connection is kept for the next request: longer than a burst of requests pauses. */
export const KEEP_ALIVE_MS = 5_000;
/** Milliseconds without one byte in either direction: longer than a held poll. The limit ends a client that does not read its answer. */
export const SILENCE_MS = 60_000;
/** Milliseconds between checks of the times above. */
export const CHECK_EVERY_MS = 1_000;

/** Bytes of all headers with the address: the longest address, and 8 KiB besides. */
export const HEADER_BYTES_MAX = 24 * 1024;
/** Headers of one request: proxies add a dozen to the five of a client. */
export const HEADERS_MAX = 64;
/** Characters of an address: a query carries its input there, a policy at most. */
export const URL_CHARS_MAX = 16 * 1024;
/** Bytes of a body that a stranger may send: a join, a challenge or a hello takes 2 KiB. */
export const STRANGER_BODY_BYTES_MAX = 64 * 1024;

/** Connections in all: the machines of a large fleet, their people, and the strangers below. */
export const CONNECTIONS_MAX = 8_192;
/** Connections that have shown no valid token. A new connection beyond that closes the oldest of them. */
export const STRANGERS_MAX = 2_048;
/** Connections without a valid token from one address: a fleet of 500 at once, twice. */
export const STRANGERS_OF_ADDRESS_MAX = 1_024;
/** Requests over one connection: then a client opens another connection. The limit bounds pipelining. */
export const REQUESTS_OF_CONNECTION_MAX = 10_000;
/** Calls that one token may have open at once: a held poll costs a query a second. */
export const CALLS_OF_TOKEN_MAX = 128;
/** Calls in one request: tRPC clients batch as many as a page needs; Drover's own send each call alone. */
export const CALLS_OF_REQUEST_MAX = 32;

/** Upgrades whose token is being looked up: a fleet of 500 at once, twice. */
export const UPGRADES_WAITING_MAX = 1_024;
/** Milliseconds until an upgrade is decided: as long as an agent waits for it. */
export const UPGRADE_MS = 10_000;
/** WebSockets of one machine: the newest, and earlier ones until they are known to be dead. */
export const SOCKETS_OF_MACHINE_MAX = 4;

/** Terminals that one token has open at one replica. */
export const TERMINALS_OF_TOKEN_MAX = 64;
/** Terminals that all tokens together have open. */
export const TERMINALS_MAX = 512;
/** Dashboards that one token has open at one replica: tabs of a browser, and browsers. */
export const DASHBOARDS_OF_TOKEN_MAX = 32;
/** Dashboards that all tokens together have open. */
export const DASHBOARDS_MAX = 512;
/** Terminal connections of one machine: as many as it opens. */
export const TERMINALS_OF_MACHINE_MAX = 64;

/** Limits how often an event may happen: `burst` at once, and `perSecond` in the long run. A batch counts as its calls. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/**
 * Requests without a valid token from one address. 500 machines that come back at once send 1,500: a request with an expired token, a
 * challenge, a hello. While each of their hellos fails they send 70 a second, for an agent waits 7.5 s on average.
 */
export const STRANGER_RATE: Rate = { burst: 3_000, perSecond: 100 };
/** Requests with one valid token: a machine on long polls sends up to 100 a second, a person's script as many as it can. */
export const TOKEN_RATE: Rate = { burst: 3_000, perSecond: 300 };
/** Addresses that are remembered, about 2 MB; beyond that the address that was silent for longest is forgotten. */
export const ADDRESSES_MAX = 10_000;
/** Tokens that are remembered: more than a large fleet and its people have. */
export const TOKENS_MAX = 10_000;
/** Milliseconds for which a token that was valid counts as worth a lookup: as long as a machine's token is valid. */
export const TOKEN_KNOWN_MS = 15 * 60_000;
/** Messages of one person at a terminal: a key that is held down sends thirty a second, and every frame is acknowledged. */
export const TERMINAL_RATE: Rate = { burst: 400, perSecond: 200 };

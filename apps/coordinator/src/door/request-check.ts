/**
 * Checks the form of a request, its Host and its Origin, before the rest of the request is read: a web page that is open on this computer
 * must not use the coordinator, under any name.
 */
import type { IncomingMessage } from 'node:http';
import { DASHBOARD_PAGES } from '@drover/api';
import { MESSAGE_BYTES_MAX } from '@drover/protocol';
import { isLoopback } from '@drover/protocol/loopback';
import { plainAddress } from './addresses.ts';
import { CALLS_OF_REQUEST_MAX, HEADERS_MAX, URL_CHARS_MAX } from './limits.ts';
import type { Hosts } from '../context/hosts.ts';

/** A refused request. The message is for people. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 408 | 411 | 413 | 414 | 415 | 426 | 429 | 431 | 500 | 503;
  readonly code: string;
  readonly message: string;
  readonly retryAfterMs?: number;
}

/** Checks the form first, then Host, then Origin. @returns null for a request that may go on. */
export function checkRequest(request: IncomingMessage, hosts: Hosts): Refusal | null {
  return misshapen(request) ?? wrongHost(request, hosts) ?? wrongOrigin(request, hosts);
}

function misshapen(request: IncomingMessage): Refusal | null {
  const { url = '', rawHeaders, headers } = request;
  if (rawHeaders.length > HEADERS_MAX * 2)
    return { status: 431, code: 'too-many-headers', message: `A request may have at most ${HEADERS_MAX} headers` };
  if (url.length > URL_CHARS_MAX)
    return {
      status: 414,
      code: 'address-too-long',
      message: `An address may have at most ${URL_CHARS_MAX} characters`,
    };
  if (!url.startsWith('/'))
    return { status: 400, code: 'bad-request', message: 'The address of a request must start with a slash' };
  const calls = callsOf(request);
  if (calls > CALLS_OF_REQUEST_MAX) {
    const message = `A request may contain at most ${CALLS_OF_REQUEST_MAX} calls, and this one has ${calls}: send several requests`;
    return { status: 400, code: 'too-many-calls', message };
  }
  if (headers['transfer-encoding'] !== undefined)
    return { status: 411, code: 'length-required', message: 'Send the body with its Content-Length, not in chunks' };
  if (/[^\s,]/u.test((headers['content-encoding'] ?? '').replaceAll(/\bidentity\b/giu, '')))
    return { status: 415, code: 'wrong-type', message: 'Send the body as it is, without Content-Encoding' };
  if (Number(headers['content-length'] ?? 0) > MESSAGE_BYTES_MAX)
    return { status: 413, code: 'too-large', message: `A message holds at most ${MESSAGE_BYTES_MAX} bytes` };
  return null;
}

/**
 * Counts the calls of a request: tRPC splits its path at commas, however they are encoded and whatever stands before them, so each comma
 * of any path counts.
 */
export function callsOf({ url = '' }: Pick<IncomingMessage, 'url'>): number {
  const [path = ''] = url.split('?', 1);
  return 1 + (path.match(/,|%2c/giu)?.length ?? 0);
}

function wrongHost({ rawHeaders, headers, socket }: IncomingMessage, hosts: Hosts): Refusal | null {
  const count = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  const host = parseHost(headers.host ?? '');
  if (count !== 1 || host === null)
    return {
      status: 400,
      code: 'bad-host',
      message: 'A request must have one Host header with the name of the coordinator',
    };
  const { name } = host;
  if (isLoopback(name) || name === hosts.listened.toLowerCase() || isNamed(host, hosts.allowed)) return null;
  // A page may give its own name this computer's address, but has no power over a bare address.
  if (name === plainAddress(socket.localAddress ?? '')) return null;
  const message = `This coordinator does not answer to the name ${quoted(name)}: add it to "coordinator.allowed_hosts" of its drover.toml if people or machines reach it by that name`;
  return { status: 403, code: 'host-not-allowed', message };
}

/** Checks headers that only browsers send. A request may come from a page of the coordinator's own name, or of an allowed one. */
function wrongOrigin(request: IncomingMessage, hosts: Hosts): Refusal | null {
  const { headers } = request;
  const { origin } = headers;
  if (opensLink(request)) return null;
  const site = headers['sec-fetch-site'];
  if (origin === undefined && (site === undefined || site === 'same-origin' || site === 'none')) return null;
  if (origin !== undefined && (isOwn(origin, headers.host ?? '', hosts) || isOfAllowedPage(request, hosts)))
    return null;
  const from = origin === undefined ? 'another web page' : `the web page ${quoted(origin)}`;
  const message = `The coordinator accepts no requests of ${from}: if it is yours, add its host to "coordinator.allowed_hosts", or its origin to "coordinator.allowed_origins" if it uses /v1 alone`;
  return { status: 403, code: 'origin-not-allowed', message };
}

/**
 * Tells whether a person follows a link of a mail or a chat that a web page shows. The page behind the link changes nothing, and that
 * web page cannot read it.
 */
function opensLink({ method, url = '', headers }: IncomingMessage): boolean {
  const isPage =
    method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return isPage && (url.startsWith(LINK_PATH) || isDashboard(url));
}

/** Tells whether an address is a page of the dashboard. */
function isDashboard(url: string): boolean {
  const [path = ''] = url.split('?', 1);
  const parts = path.split('/');
  return DASHBOARD_PAGES.some((page) => {
    const wanted = page.split('/');
    return wanted.length === parts.length && wanted.every((part, at) => part.startsWith(':') || part === parts[at]);
  });
}

/** Path of links that answer questions: see actions/routes.ts. */
const LINK_PATH = '/v1/actions?';

/** Lets a page of another program use the public API, and nothing else. Such a page has no cookie here: its token identifies the caller. */
function isOfAllowedPage({ url = '', headers: { origin } }: IncomingMessage, { origins = [] }: Hosts): boolean {
  return origin !== undefined && origins.includes(origin) && url.startsWith('/v1/');
}

/** Tells whether the Origin of a request is a page of this coordinator itself. */
export function isOwn(origin: string, host: string, { allowed }: Hosts): boolean {
  const [, authority = ''] = /^https?:\/\/(.+)$/iu.exec(origin) ?? [];
  const parsed = parseHost(authority);
  if (parsed === null) return false;
  return authority.toLowerCase() === host.toLowerCase() || isNamed(parsed, allowed);
}

/** Tells whether a Host header names this computer itself. */
export function isLoopbackHost(header: string): boolean {
  return isLoopback(parseHost(header)?.name ?? '');
}

/**
 * Tells whether a machine that dialled this address means this coordinator, by the configured names. Without configured names every
 * address is right: a proxy in front may have any.
 */
export function isOwnAddress(url: string, { listened, allowed }: Hosts): boolean {
  const host = /^https?:$/u.test(protocolOf(url)) ? parseHost(new URL(url).host) : null;
  if (host === null) return false;
  return (
    allowed.length === 0 || isLoopback(host.name) || host.name === listened.toLowerCase() || isNamed(host, allowed)
  );
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : '';
}

interface Host {
  /** Name in small letters, an IPv6 address without its brackets. */
  readonly name: string;
  readonly port: string | undefined;
}

const HOST =
  /^(?:\[(?<six>[0-9a-f:.]{2,45})\]|(?<name>[a-z0-9_](?:[a-z0-9._-]{0,251}[a-z0-9_])?))(?::(?<port>\d{1,5}))?$/iu;

function parseHost(text: string): Host | null {
  const groups = HOST.exec(text)?.groups;
  const name = groups?.['six'] ?? groups?.['name'];
  return name === undefined ? null : { name: name.toLowerCase(), port: groups?.['port'] };
}

function isNamed({ name, port }: Host, allowed: readonly string[]): boolean {
  return allowed.some((text) => {
    const one = parseHost(text);
    return one !== null && one.name === name && (one.port === undefined || one.port === port);
  });
}

/** Quotes a stranger's text safely for a log and a terminal. */
export function quoted(text: string): string {
  const short = text.length > 100 ? `${text.slice(0, 99)}…` : text;
  return JSON.stringify(short.replaceAll(/[^\x20-\x7e…]/gu, '?'));
}

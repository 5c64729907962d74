/** Upgrades requests to WebSockets: machines for their sync, and both ends of a terminal. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  MESSAGE_BYTES_MAX,
  PERSON_MESSAGE_BYTES_MAX,
  SCREEN_MESSAGE_BYTES_MAX,
  TERMINAL_PATHS,
  TERMINAL_TICKET_HEADER,
} from '@drover/protocol';
import type { Actor } from '@drover/api';
import type { Machine } from '@drover/store';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { sha256 } from '../../context/sha256.ts';
import { AccessWatch } from '../../agent/access-watch.ts';
import { CLOSE, serveSocket } from '../../agent/socket.ts';
import { LIVE_PATH, serveDashboard } from '../../dashboard/sockets.ts';
import type { DashboardSockets } from '../../dashboard/sockets.ts';
import { actorOfCookies } from '../../facts/people/passes.ts';
import { serveMachine, servePerson } from '../../terminals/sockets.ts';
import type { TerminalSockets } from '../../terminals/sockets.ts';
import type { Context } from '../../context/context.ts';
import { actorOf } from '../../facts/people/actor.ts';
import { bearerSha256 } from '../../context/bearer.ts';
import { AGENT_SOCKET } from '../check-routes.ts';
import type { Door } from '../../door/door.ts';
import * as limits from '../../door/limits.ts';
import { endWith } from './refusal-answers.ts';
import type { Refusal } from '../../door/request-check.ts';

/** Parts that the WebSockets of one process share. */
export interface UpgradeParts extends TerminalSockets, DashboardSockets {
  readonly door: Door;
}

/** The WebSockets of one process. */
export interface Upgrades {
  /** Serves the upgrade, or answers with the refusal. */
  take(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  /** Closes all sockets with a close frame. */
  sayGoodbye(): void;
  /** Destroys all sockets at once. */
  terminate(): void;
}

type Serve = (socket: WebSocket) => void;
/** Server and handler of an admitted upgrade. */
interface Admitted {
  readonly sockets: WebSocketServer;
  readonly serve: Serve;
}
type Admit = (request: IncomingMessage, url: URL) => Promise<Admitted | Refusal>;

/** Creates the upgrades. Upgrades nothing for a stranger, or beyond a limit. */
export function createUpgrades(parts: UpgradeParts): Upgrades {
  const { ctx, commands, door, relay } = parts;
  const [syncs, people, screens, dashboards] = [
    serverFor(MESSAGE_BYTES_MAX),
    serverFor(PERSON_MESSAGE_BYTES_MAX),
    serverFor(SCREEN_MESSAGE_BYTES_MAX),
    serverFor(DASHBOARD_MESSAGE_BYTES_MAX),
  ];
  const shared = { waiters: commands, access: new AccessWatch(ctx) };
  const bySync = new Crowds();
  const byToken = new Crowds();
  const byScreen = new Crowds();
  const byDashboard = new Crowds();
  const admits: Readonly<Record<string, Admit>> = {
    [AGENT_SOCKET]: async (request) => {
      const machine = await machineOf(ctx, request);
      if (machine === null) return UNKNOWN_MACHINE;
      const serve: Serve = (socket) => {
        // A machine with too many connections loses the oldest.
        bySync.add(machine.id, socket);
        if (bySync.sizeOf(machine.id) > limits.SOCKETS_OF_MACHINE_MAX) bySync.oldestOf(machine.id)?.terminate();
        serveSocket({ ctx, socket, machine }, shared);
      };
      return { sockets: syncs, serve };
    },
    [TERMINAL_PATHS.machine]: async (request, url) => {
      const machine = await machineOf(ctx, request);
      if (machine === null) return UNKNOWN_MACHINE;
      if (byScreen.sizeOf(machine.id) >= limits.TERMINALS_OF_MACHINE_MAX) return TOO_MANY;
      const id = url.searchParams.get('terminal') ?? '';
      const row = UUID.test(id)
        ? await ctx.store.meetTerminal({ id, machineId: machine.id, now: ctx.clock.now() }).catch(() => null)
        : null;
      if (row === null) return NO_PERSON_WAITS;
      const serve: Serve = (socket) => {
        byScreen.add(machine.id, socket);
        serveMachine({ ctx, relay }, socket, { row, personAt: row.replica });
      };
      return { sockets: screens, serve };
    },
    [LIVE_PATH]: async (request) => {
      const actor = await personOf(ctx, request);
      if (actor === null) return UNKNOWN_PERSON;
      if (actor.kind !== 'person') return NOT_A_PERSON;
      if (byDashboard.sizeOf(actor.id) >= limits.DASHBOARDS_OF_TOKEN_MAX || byDashboard.size >= limits.DASHBOARDS_MAX)
        return TOO_MANY_DASHBOARDS;
      const serve: Serve = (socket) => {
        byDashboard.add(actor.id, socket);
        serveDashboard(parts, socket, actor);
      };
      return { sockets: dashboards, serve };
    },
    [TERMINAL_PATHS.person]: async (request, url) => {
      const actor = await personOf(ctx, request);
      if (actor === null) return UNKNOWN_PERSON;
      if (byToken.sizeOf(actor.id) >= limits.TERMINALS_OF_TOKEN_MAX || byToken.size >= limits.TERMINALS_MAX)
        return TOO_MANY;
      // A browser sets no header; the ticket in its address is good once, for its own cookie.
      const ticket = String(request.headers[TERMINAL_TICKET_HEADER] ?? url.searchParams.get('ticket') ?? '');
      const join = { secretSha256: sha256(ticket), tokenId: actor.id, replica: relay.replica, now: ctx.clock.now() };
      const row = await ctx.store.joinTerminal(join).catch(() => null);
      if (row === null) return UNKNOWN_TICKET;
      const serve: Serve = (socket) => {
        byToken.add(actor.id, socket);
        servePerson(parts, socket, { row, token: { id: actor.id, name: actor.name } });
      };
      return { sockets: people, serve };
    },
  };
  let waiting = 0;
  return {
    take: async (request, socket, head) => {
      // The server's own timeouts no longer apply to the socket.
      (socket as Socket).setTimeout(limits.UPGRADE_MS, () => socket.destroy());
      const url = urlOf(request);
      const admit = url !== null && Object.hasOwn(admits, url.pathname) ? admits[url.pathname] : undefined;
      const refusal =
        door.check(request) ?? notSocket(request) ?? (waiting >= limits.UPGRADES_WAITING_MAX ? BUSY : null);
      if (refusal !== null || url === null || admit === undefined) return endWith(socket, refusal ?? NOT_HERE);
      waiting += 1;
      const admitted = await admit(request, url).finally(() => (waiting -= 1));
      if ('status' in admitted) return endWith(socket, admitted);
      if (socket.destroyed) return undefined;
      door.vouch(request);
      return admitted.sockets.handleUpgrade(request, socket, head, (line) => admitted.serve(line));
    },
    sayGoodbye: () => {
      for (const { clients } of [syncs, people, screens, dashboards])
        for (const socket of clients) socket.close(CLOSE.stopping, 'the coordinator is stopping');
    },
    terminate: () => {
      for (const { clients } of [syncs, people, screens, dashboards]) for (const socket of clients) socket.terminate();
    },
  };
}

/** Parses the address. Null for no path of this server: `//[` and `http://[` are no addresses, and `//other/path` is one of another server. */
function urlOf({ url = '' }: IncomingMessage): URL | null {
  return url.startsWith('/') && !url.startsWith('//') ? URL.parse(url, 'http://coordinator') : null;
}

function serverFor(maxPayload: number): WebSocketServer {
  return new WebSocketServer({ noServer: true, maxPayload, perMessageDeflate: false });
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

const BUSY: Refusal = {
  status: 503,
  code: 'busy',
  message: 'Too many connections are being opened: retry in 1 s',
  retryAfterMs: 1_000,
};
const UNKNOWN_MACHINE: Refusal = {
  status: 401,
  code: 'unauthorized',
  message: 'The token is wrong or has expired: connect again',
};
const UNKNOWN_PERSON: Refusal = { status: 401, code: 'unauthorized', message: 'The token is wrong or has expired' };
const UNKNOWN_TICKET: Refusal = {
  status: 403,
  code: 'unknown-ticket',
  message: 'This ticket is unknown, used, expired, or of another token: ask for a new one',
};
const NO_PERSON_WAITS: Refusal = {
  status: 404,
  code: 'not-found',
  message: 'Nobody is waiting for this terminal any more',
};
const NOT_HERE: Refusal = {
  status: 404,
  code: 'not-found',
  message: `WebSockets are at ${AGENT_SOCKET}, ${LIVE_PATH}, ${TERMINAL_PATHS.machine} and ${TERMINAL_PATHS.person}`,
};
const NOT_A_PERSON: Refusal = {
  status: 403,
  code: 'forbidden',
  message: 'A dashboard is for people: use the token of a person',
};
const TOO_MANY_DASHBOARDS: Refusal = {
  status: 429,
  code: 'too-many-dashboards',
  message: 'Too many dashboards are open: close one',
  retryAfterMs: 10_000,
};
const TOO_MANY: Refusal = {
  status: 429,
  code: 'too-many-terminals',
  message: 'Too many terminals are open: close one',
  retryAfterMs: 10_000,
};

function notSocket({ headers }: IncomingMessage): Refusal | null {
  if (headers.upgrade?.toLowerCase() === 'websocket') return null;
  return { status: 426, code: 'bad-upgrade', message: 'The only upgrade allowed here is to a WebSocket' };
}

/**
 * Finds the person by their token, or by the cookie of their browser; null for a stranger, and when the database does not answer. A
 * browser names the page that opens the socket, and the door has refused foreign ones.
 */
async function personOf(ctx: Context, { headers }: IncomingMessage): Promise<Actor | null> {
  const { authorization, cookie, origin } = headers;
  if (authorization !== undefined) return actorOf(ctx, authorization).catch(() => null);
  return origin === undefined ? null : actorOfCookies(ctx, cookie).catch(() => null);
}

/** Finds the owner of the token; null for an unknown token, and when the database does not answer. */
async function machineOf(ctx: Context, request: IncomingMessage): Promise<Machine | null> {
  const token = bearerSha256(request.headers.authorization);
  if (token === null) return null;
  return ctx.store.machineByToken(token, ctx.clock.now()).catch(() => null);
}

/** Bytes of a message of a dashboard, which says nothing. */
const DASHBOARD_MESSAGE_BYTES_MAX = 1_024;

/** Open sockets by their owner, the oldest first. */
class Crowds {
  readonly #byOwner = new Map<string, Set<WebSocket>>();
  size = 0;

  add(owner: string, socket: WebSocket): void {
    const own = this.#byOwner.get(owner) ?? new Set();
    this.#byOwner.set(owner, own.add(socket));
    this.size += 1;
    socket.once('close', () => {
      this.size -= 1;
      own.delete(socket);
      if (own.size === 0 && this.#byOwner.get(owner) === own) this.#byOwner.delete(owner);
    });
  }

  sizeOf(owner: string): number {
    return this.#byOwner.get(owner)?.size ?? 0;
  }

  oldestOf(owner: string): WebSocket | undefined {
    const [oldest] = this.#byOwner.get(owner) ?? [];
    return oldest;
  }
}

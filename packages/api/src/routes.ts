/** Roles and reach of calls, and every route of the coordinator that is no operation (`operations/table.ts`). */
import type { Actor, Role } from './people.ts';

/**
 * The reach of a call. `fleet`: a token of one project is refused. `project`: such a token finds only its project.
 * `worker`: as `project`, and a worker's own token finds its worker.
 */
export type Scope = 'fleet' | 'project' | 'worker';

/**
 * The access of an operation. Viewers read, responders answer questions, operators give work and change workers; admins
 * let machines and people in and stop the process.
 */
export interface Route {
  readonly kind: 'query' | 'mutation';
  /** The least role of a person. */
  readonly role: Exclude<Role, 'worker'>;
  readonly scope: Scope;
}

/** Callers of a route that is no procedure. */
export type Caller =
  /** Everybody: the route says only whether the process runs, and proves its identity. */
  | 'anybody'
  /** Everybody: it is one page without data, whose program signs in and then asks as a person. */
  | 'page'
  /** Everybody: a join token or a signature in the request proves the caller's identity. */
  | 'proof'
  /** Everybody who has a link that the coordinator made: the link names the person. */
  | 'link'
  /** A machine, by its access token. */
  | 'machine'
  /** A viewer of the whole fleet, or a program on this computer. */
  | 'viewer-or-local'
  /** A person, by the cookie of a signed-in browser or by their token. */
  | 'browser'
  /** A person, by their token or that cookie, and a one-time id for one terminal, which a procedure gives. */
  | 'ticket'
  /** A bot, by a token for this channel. */
  | 'bot'
  /** A scheduler, by a secret of the coordinator's environment. */
  | 'scheduler'
  /** Procedures decide each for itself. */
  | 'procedures';

/** Routes that belong to no operation: `ALL` stands for any method, `WS` for a WebSocket. */
export const HTTP_ROUTES = {
  'GET /healthz': 'anybody',
  'GET /readyz': 'anybody',
  'GET /metrics': 'viewer-or-local',
  'POST /internal/tick': 'scheduler',
  'GET /agent/listener': 'anybody',
  'POST /agent/join': 'proof',
  'POST /agent/challenge': 'proof',
  'POST /agent/hello': 'proof',
  'POST /agent/sync': 'machine',
  'POST /agent/worker-token': 'machine',
  'POST /agent/gateway': 'machine',
  'POST /agent/home': 'machine',
  'POST /agent/parcels/:sha256': 'machine',
  'PUT /agent/parcels/:sha256/:number': 'machine',
  'GET /agent/parcels/:machine/:sha256/:number': 'machine',
  'WS /agent/ws': 'machine',
  'WS /agent/terminal': 'machine',
  'WS /terminal': 'ticket',
  'WS /live': 'browser',
  'GET /': 'page',
  'GET /sign-in': 'page',
  'GET /workers/:project/:name': 'page',
  'GET /review': 'page',
  'GET /review/:project/:name': 'page',
  'GET /panes': 'page',
  'GET /machines': 'page',
  'GET /runs': 'page',
  'GET /runs/:id': 'page',
  'GET /q/:id': 'page',
  'GET /assets/:file': 'anybody',
  'POST /session': 'proof',
  'DELETE /session': 'anybody',
  'GET /v1/channels/:name/work': 'bot',
  'DELETE /v1/channels/:name/work': 'bot',
  'POST /v1/channels/:name/work/:escalation': 'bot',
  'POST /v1/channels/:name/press': 'bot',
  'POST /v1/channels/:name/link': 'bot',
  'POST /v1/channels/:name/command': 'bot',
  'POST /v1/channels/:name/move': 'bot',
  'GET /v1/actions': 'link',
  'POST /v1/actions': 'link',
  'GET /v1/openapi.json': 'anybody',
  'GET /v1/docs': 'anybody',
  'ALL /trpc/*': 'procedures',
} as const satisfies Readonly<Record<string, Caller>>;

/** Paths of the dashboard. */
export const DASHBOARD_PAGES: readonly string[] = Object.entries(HTTP_ROUTES).flatMap(([route, caller]) =>
  caller === 'page' ? [route.slice('GET '.length)] : [],
);

const RANK: Readonly<Record<Role, number>> = { worker: -1, viewer: 0, responder: 1, operator: 2, admin: 3 };

/** Returns the reason why the caller may not call this route, in words; null if the caller may. */
export function refusalOf({ role, scope }: Route, { name, ...actor }: Actor): string | null {
  if (actor.role === 'worker') {
    return scope === 'worker'
      ? null
      : `A worker's token can only read what concerns this worker; this needs the token of a person with the role ${role}`;
  }
  if (actor.kind === 'bot')
    return `The token "${name}" belongs to a bot and only serves channels; this needs the token of a person with the role ${role}`;
  if (RANK[actor.role] < RANK[role])
    return `This needs the role ${role}; the token "${name}" has the role ${actor.role}`;
  if (scope === 'fleet' && actor.project !== null)
    return `This concerns the whole fleet, but the token "${name}" may only access one project: use a token without a project`;
  return null;
}

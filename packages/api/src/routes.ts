/**
 * Who may call what? Every procedure of people's API and every other route of the coordinator, with the role that it takes. A
 * procedure without an entry does not compile, and a coordinator does not start with one that is not listed here.
 */
import type { Actor, Role } from './people.ts';

/**
 * What a call is about. `fleet`: a token of one project is refused. `project`: such a token finds what belongs to its project.
 * `worker`: as `project`, and a worker's own token finds its worker.
 */
export type Scope = 'fleet' | 'project' | 'worker';

/** Who may call a procedure. */
export interface Route {
  readonly kind: 'query' | 'mutation';
  /** The least role of a person. */
  readonly role: Exclude<Role, 'worker'>;
  readonly scope: Scope;
}

/**
 * Viewers read, responders answer questions, operators give work and change workers; admins let machines and people in and stop the
 * process.
 */
export const ROUTES = {
  info: { kind: 'query', role: 'viewer', scope: 'worker' },
  'workers.list': { kind: 'query', role: 'viewer', scope: 'worker' },
  'workers.add': { kind: 'mutation', role: 'operator', scope: 'project' },
  'workers.settings': { kind: 'query', role: 'viewer', scope: 'project' },
  'workers.edit': { kind: 'mutation', role: 'operator', scope: 'project' },
  'workers.nuke': { kind: 'mutation', role: 'operator', scope: 'project' },
  'workers.start': { kind: 'mutation', role: 'operator', scope: 'project' },
  'workers.message': { kind: 'mutation', role: 'operator', scope: 'project' },
  'workers.move': { kind: 'mutation', role: 'operator', scope: 'project' },
  'workers.cancelMove': { kind: 'mutation', role: 'operator', scope: 'project' },
  'workers.review': { kind: 'mutation', role: 'viewer', scope: 'project' },
  'workers.reject': { kind: 'mutation', role: 'operator', scope: 'project' },
  'workers.accept': { kind: 'mutation', role: 'operator', scope: 'project' },
  'workers.acceptTogether': { kind: 'mutation', role: 'operator', scope: 'project' },
  'workers.awaitAccept': { kind: 'query', role: 'viewer', scope: 'project' },
  'workers.cancel': { kind: 'mutation', role: 'operator', scope: 'project' },
  'workers.rebase': { kind: 'mutation', role: 'operator', scope: 'project' },
  'workers.why': { kind: 'query', role: 'viewer', scope: 'worker' },
  'workers.screen': { kind: 'query', role: 'viewer', scope: 'worker' },
  'workers.pane': { kind: 'query', role: 'viewer', scope: 'project' },
  events: { kind: 'query', role: 'viewer', scope: 'worker' },
  errors: { kind: 'query', role: 'viewer', scope: 'project' },
  error: { kind: 'query', role: 'viewer', scope: 'project' },
  report: { kind: 'query', role: 'viewer', scope: 'project' },
  'escalations.list': { kind: 'query', role: 'viewer', scope: 'project' },
  'escalations.show': { kind: 'query', role: 'viewer', scope: 'project' },
  'escalations.ack': { kind: 'mutation', role: 'responder', scope: 'project' },
  'escalations.snooze': { kind: 'mutation', role: 'responder', scope: 'project' },
  'escalations.escalate': { kind: 'mutation', role: 'responder', scope: 'project' },
  'escalations.comment': { kind: 'mutation', role: 'responder', scope: 'project' },
  'escalations.resolve': { kind: 'mutation', role: 'responder', scope: 'project' },
  'oncall.show': { kind: 'query', role: 'viewer', scope: 'project' },
  'oncall.chats': { kind: 'query', role: 'viewer', scope: 'project' },
  'oncall.silence': { kind: 'mutation', role: 'operator', scope: 'project' },
  'oncall.unsilence': { kind: 'mutation', role: 'operator', scope: 'project' },
  'oncall.test': { kind: 'mutation', role: 'operator', scope: 'project' },
  'policy.show': { kind: 'query', role: 'viewer', scope: 'project' },
  'policy.diff': { kind: 'query', role: 'viewer', scope: 'project' },
  'policy.replay': { kind: 'query', role: 'viewer', scope: 'project' },
  'queue.list': { kind: 'query', role: 'viewer', scope: 'project' },
  'queue.show': { kind: 'query', role: 'viewer', scope: 'project' },
  'queue.add': { kind: 'mutation', role: 'operator', scope: 'project' },
  'queue.drop': { kind: 'mutation', role: 'operator', scope: 'project' },
  'queue.retry': { kind: 'mutation', role: 'operator', scope: 'project' },
  'checkpoints.list': { kind: 'query', role: 'viewer', scope: 'project' },
  // A mutation, because it asks a machine.
  'checkpoints.show': { kind: 'mutation', role: 'viewer', scope: 'project' },
  'checkpoints.create': { kind: 'mutation', role: 'operator', scope: 'project' },
  'checkpoints.recover': { kind: 'mutation', role: 'operator', scope: 'project' },
  'checkpoints.recovery': { kind: 'query', role: 'viewer', scope: 'project' },
  accounts: { kind: 'query', role: 'viewer', scope: 'project' },
  'doctor.diagnose': { kind: 'query', role: 'viewer', scope: 'fleet' },
  'doctor.repair': { kind: 'mutation', role: 'operator', scope: 'fleet' },
  'doctor.rebuild': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'profiles.list': { kind: 'query', role: 'viewer', scope: 'project' },
  'profiles.put': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'profiles.remove': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'projects.list': { kind: 'query', role: 'viewer', scope: 'project' },
  'projects.show': { kind: 'query', role: 'viewer', scope: 'project' },
  'projects.add': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'projects.declare': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'projects.edit': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'projects.trust': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'projects.remove': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'machines.list': { kind: 'query', role: 'viewer', scope: 'project' },
  'machines.invite': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'machines.add': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'machines.trust': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'machines.gateways': { kind: 'query', role: 'viewer', scope: 'fleet' },
  'machines.revoke': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'machines.rotate': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'machines.cordon': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'machines.uncordon': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'machines.label': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'machines.drain': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'machines.remove': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'terminals.watch': { kind: 'mutation', role: 'viewer', scope: 'project' },
  'terminals.type': { kind: 'mutation', role: 'operator', scope: 'project' },
  // A mutation, because it asks a machine.
  'terminals.locate': { kind: 'mutation', role: 'operator', scope: 'project' },
  'audit.list': { kind: 'query', role: 'admin', scope: 'fleet' },
  // A mutation, because the heads that were kept may be many.
  'audit.verify': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'tokens.list': { kind: 'query', role: 'admin', scope: 'fleet' },
  'tokens.create': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'tokens.edit': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'tokens.revoke': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'people.list': { kind: 'query', role: 'admin', scope: 'fleet' },
  'people.add': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'people.link': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'people.mail': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'people.remove': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  // An address may hold a secret of the one who takes it.
  'webhooks.list': { kind: 'query', role: 'admin', scope: 'fleet' },
  'webhooks.add': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'webhooks.edit': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'webhooks.remove': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'webhooks.rotate': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'webhooks.test': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'webhooks.deliveries': { kind: 'query', role: 'admin', scope: 'fleet' },
  'webhooks.replay': { kind: 'mutation', role: 'admin', scope: 'fleet' },
  'fleet.up': { kind: 'mutation', role: 'operator', scope: 'project' },
  'fleet.down': { kind: 'mutation', role: 'operator', scope: 'project' },
  'fleet.stop': { kind: 'mutation', role: 'admin', scope: 'fleet' },
} as const satisfies Readonly<Record<string, Route>>;

/** The name of a procedure, as a client calls it. */
export type RouteName = keyof typeof ROUTES;

/** Who may use a route that is no procedure. */
export type Caller =
  /** Everybody: it says only whether the process runs, and proves who it is. */
  | 'anybody'
  /** Everybody: what is sent proves who it is, with a join token or a signature. */
  | 'proof'
  /** Everybody who has a link that the coordinator made: it says for whom it acts. */
  | 'link'
  /** A machine, by its access token. */
  | 'machine'
  /** A viewer of the whole fleet, or a program on this computer. */
  | 'viewer-or-local'
  /** A person, by their token and a one-time id for one terminal, which a procedure gives. */
  | 'ticket'
  /** A bot, by a token for this channel. */
  | 'bot'
  /** A scheduler, by a secret of the coordinator's environment. */
  | 'scheduler'
  /** Each procedure says for itself. */
  | 'procedures';

/** Every route that is no procedure and not in the table of the public API (`v1/table.ts`): `ALL` stands for any method, `WS` for a WebSocket. */
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

const RANK: Readonly<Record<Role, number>> = { worker: -1, viewer: 0, responder: 1, operator: 2, admin: 3 };

/** Why this caller may not call this, in words; null: they may. */
export function refusalOf({ role, scope }: Route, { name, ...actor }: Actor): string | null {
  if (actor.role === 'worker') {
    return scope === 'worker'
      ? null
      : `A worker's token shows what concerns this worker and changes nothing; this needs a person's, with the role ${role}`;
  }
  if (actor.kind === 'bot')
    return `The token "${name}" is a bot's: it serves channels alone, and this needs a person's, with the role ${role}`;
  if (RANK[actor.role] < RANK[role])
    return `This needs the role ${role}; the token "${name}" has the role ${actor.role}`;
  if (scope === 'fleet' && actor.project !== null)
    return `This is about the whole fleet; the token "${name}" reaches one project: use a token without a project`;
  return null;
}

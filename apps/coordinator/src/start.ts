/** The coordinator, put together: database, policy loop, HTTP. Everything that matters is in the database. */
import { DEFAULT_POLICY } from '@drover/core';
import type { Policy } from '@drover/core';
import type { Redactor } from '@drover/protocol';
import { connect, createSqlStore, examineSchema, listen, migrate, startEmbeddedPostgres } from '@drover/store';
import type { Database, ErrorRow, NewProject, Store } from '@drover/store';
import { createFleetIdentity } from './agent/identity.ts';
import { BackupLoop } from './backup-loop.ts';
import { Waiters } from './agent/waiters.ts';
import { DatabaseClock } from './database-clock.ts';
import { DueLoop } from './due/loop.ts';
import { createCounters } from './metrics/count.ts';
import { createPage } from './metrics/gauges.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createHints, heard } from './hints.ts';
import { createApp } from './http/app.ts';
import { Door } from './http/door.ts';
import { startServer } from './http/server.ts';
import { StartToken, startTokenName } from './start-token.ts';
import { createMailer } from './mail/mailer.ts';
import type { MailSettings } from './mail/mailer.ts';
import { MailLoop } from './mail/mail-loop.ts';
import { PolicyWatch } from './policy-watch.ts';
import type { PolicyReading } from './policy-watch.ts';
import type { Clock, Ids, LocalClock, Log } from './ports.ts';
import type { AccountName } from './use-cases/accounts/key.ts';
import type { WorkerDefaults } from './use-cases/workers/add.ts';
import type { Context } from './use-cases/context.ts';
import { createFleet } from './use-cases/fleet.ts';
import { invite } from './use-cases/machines/machines.ts';
import { WebhookLoop } from './webhooks/loop.ts';
import { PATROL_KEY } from './use-cases/patrol.ts';
import type { Leases } from './use-cases/machines/leases.ts';
import type { QueueSettings } from './use-cases/queue/rules.ts';

/** Where the state is kept. */
export type DatabaseChoice =
  /** A server of one's own. */
  | { readonly kind: 'url'; readonly url: string }
  /** Drover's own Postgres in this directory. */
  | { readonly kind: 'embedded'; readonly dataDir: string };

/**
 * What a composition root decides: where the state is, where to listen, the adapters, and what the configuration says.
 */
export interface CoordinatorOptions {
  readonly database: DatabaseChoice;
  readonly migrationsDir: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Names that it answers to beside loopback and the address listened on; absent: none. */
  readonly allowedHosts?: readonly string[];
  /** Addresses of proxies whose `X-Forwarded-For` is believed; absent: none. */
  readonly trustedProxies?: readonly string[];
  /** Hosts to which webhooks may go though they are private or without TLS; absent: none. */
  readonly webhookHosts?: readonly string[];
  readonly log: Log;
  /** Told of each row of the error log, once it is committed; absent: it is in the database alone. */
  readonly onError?: (error: ErrorRow) => void;
  /** This computer's; all replicas of one database go by its clock. */
  readonly clock: LocalClock;
  readonly ids: Ids;
  /** In [0, 1). */
  readonly random: () => number;
  readonly version: string;
  /** This process's id, for people. */
  readonly pid: number;
  /** The project that this coordinator's configuration names; others may be in the database. */
  readonly project: NewProject | null;
  readonly defaults: (name: string) => WorkerDefaults;
  /**
   * An admin's token that works for as long as this process lives; null: none. Others with the same secret share it, others with the
   * same name do not. `kept`: it stays for them when this process ends, until it expires.
   */
  readonly token: { readonly name: string; readonly secret: string; readonly kept?: boolean } | null;
  /** The token of a bot that runs beside this coordinator, and the most that people may do by it; absent: there is none. */
  readonly bot?: {
    readonly secret: string;
    readonly role: 'viewer' | 'responder' | 'operator';
    readonly channels: readonly string[];
  };
  /** What the policies of projects change; absent: the default policy. */
  readonly policy?: Policy;
  /** Where mail about questions goes out; absent: nowhere. */
  readonly mail?: MailSettings;
  /** Reads the policy of `project` again; absent: it stays as it was at the start. */
  readonly readPolicy?: () => Promise<PolicyReading>;
  /** Who takes what from the work queue; absent: idle workers do. */
  readonly queue?: QueueSettings;
  /** The account that an agent profile uses; without it each program has one for each machine. */
  readonly accountOf?: (profile: string) => AccountName;
  /** How long machines may be silent; absent: `DEFAULT_LEASES`. */
  readonly leases?: Leases;
  /** Bytes of a file that one machine may send to another; absent: as by default. */
  readonly parcelBytes?: number;
  /** Takes secrets out of what others than the worker see; absent: by known forms alone. */
  readonly redactor?: Redactor;
  /** Time between rounds of the patrol, in milliseconds; null: no patrol. */
  readonly patrolEveryMs: number | null;
  /** Called when the process can do nothing any more, with words for people: it should end. */
  readonly fatal: (message: string) => void;
  /** What `drover down` may call; null where the process has another owner. */
  readonly stop: (() => void) | null;
}

/** A replica that serves. Disposing it closes its connections, its timers, its socket and an embedded database. */
export interface Coordinator extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Makes a join token for a machine of one's own. */
  invite(): Promise<string>;
  /** Where the database is, for tools on this machine. */
  readonly databaseUrl: string;
}

/** Database connections of one replica. */
const CONNECTIONS = 10;
const INVITE_TTL_MS = 10 * 60_000;
/** Clocks that are kept differ by less than this, in milliseconds. */
const TOLD_FROM_MS = 2_000;

/**
 * Starts one replica. Any number may run on one database.
 *
 * @throws {EmbeddedPostgresError | MigrationError | ListenError} each with what to do.
 */
export async function startCoordinator(options: CoordinatorOptions): Promise<Coordinator> {
  await using stack = new AsyncDisposableStack();
  const { log, random } = options;
  const databaseUrl = await openDatabase(options, stack);
  await migrate(databaseUrl, { directory: options.migrationsDir, log });
  const { db, pool } = stack.use(connect<Database>(databaseUrl, { log, maxConnections: CONNECTIONS }));
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => options.clock.after(ms, resolve));
  const store = createSqlStore(db, { sleep, random });
  const clock = await sharedClock(options, store);
  const ids: Ids = { secret: options.ids.secret, uuid: () => options.ids.uuid(clock.now()) };
  const commands = new Waiters();
  const events = new Waiters();
  const wires: { loop?: DueLoop } = {};
  const hints = createHints({
    clock,
    log,
    commands,
    events,
    notify: (channel, payload) => store.notify(channel, payload),
    due: (at) => wires.loop?.wake(at),
  });
  const metrics = createMetrics();
  const hosts = { listened: options.host, allowed: options.allowedHosts ?? [] };
  const ctx: Context = {
    ...(options.onError !== undefined && { onError: options.onError }),
    counters: createCounters(metrics),
    store,
    clock,
    ids,
    identity: createFleetIdentity(await store.fleetSeed(ids.secret(), clock.now())),
    hosts,
    log,
    redactor: options.redactor,
    hints,
    fleetSize: { machines: 1 },
    ...(options.token !== null && { startToken: startTokenName(options.token) }),
    random,
    policy: options.policy ?? DEFAULT_POLICY,
    ...(options.queue !== undefined && { queue: options.queue }),
    accountOf: options.accountOf ?? ((profile) => ({ program: profile, account: null })),
    ...(options.leases !== undefined && { leases: options.leases }),
    ...(options.parcelBytes !== undefined && { parcelBytes: options.parcelBytes }),
    patrolEveryMs: options.patrolEveryMs,
    ...(options.mail !== undefined && { mail: createMailer(options.mail) }),
  };
  await prepare(ctx, options);
  if (options.token !== null) stack.use(await StartToken.issue(ctx, options.token));
  if (options.bot !== undefined) stack.use(await StartToken.issue(ctx, { name: 'bot', ...options.bot }));
  const { project, readPolicy } = options;
  if (project !== null && readPolicy !== undefined) stack.use(new PolicyWatch(ctx, { project, read: readPolicy }));
  wires.loop = stack.use(new DueLoop(ctx, options.clock));
  if (ctx.mail !== undefined) stack.use(new MailLoop(ctx, ctx.mail));
  stack.use(
    listenForHints(databaseUrl, { log, random, commands, events, resync: () => wires.loop?.wake(clock.now()) }),
  );
  const stopping = new AbortController();
  const fleet = createFleet(ctx, {
    info: {
      version: options.version,
      project: options.project?.name ?? null,
      root: options.project?.root ?? null,
      pid: options.pid,
      startedAt: clock.now(),
    },
    events,
    commands,
    webhookHosts: options.webhookHosts ?? [],
    defaults: options.defaults,
    schema: () => examineSchema(databaseUrl, { directory: options.migrationsDir, log }),
    stop: options.stop,
  });
  const { host, port } = options;
  const door = stack.use(
    new Door({
      hosts,
      trustedProxies: options.trustedProxies ?? [],
      elapsed: () => options.clock.elapsed(),
      clock: options.clock,
      log,
    }),
  );
  const app = createApp({
    ctx,
    fleet,
    commands,
    vouch: door.vouch,
    metricsPage: createPage(metrics, { store, clock, pool, leases: options.leases }),
    stopping: stopping.signal,
  });
  const server = stack.use(await startServer({ ctx, app, commands, door, host, port }));
  stack.use(new WebhookLoop(ctx, { events, allowed: options.webhookHosts ?? [] }));
  stack.defer(() => stopping.abort());
  const running = stack.move();
  return {
    url: server.url,
    port: server.port,
    databaseUrl,
    invite: async () => (await invite(ctx, INVITE_TTL_MS)).token,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function openDatabase(
  { database, log, clock, fatal }: CoordinatorOptions,
  stack: AsyncDisposableStack,
): Promise<string> {
  if (database.kind === 'url') return database.url;
  const embedded = await startEmbeddedPostgres({ dataDir: database.dataDir, log, durability: 'full' });
  // It restarts by itself; when that fails for good, nothing here can go on.
  let closing = false;
  void embedded.ended.then(() =>
    closing ? undefined : fatal('The embedded Postgres has ended and cannot be started again; the log above says why'),
  );
  stack.use(embedded);
  stack.use(new BackupLoop({ database: embedded, clock, log }));
  stack.defer(() => {
    closing = true;
  });
  return embedded.connectionString;
}

/** An embedded database is on this computer and has its clock, also after a sleep; of any other one we know nothing. */
async function sharedClock({ database, clock, log }: CoordinatorOptions, store: Store): Promise<Clock> {
  if (database.kind === 'embedded') return clock;
  const shared = await DatabaseClock.open(clock, () => store.readClock());
  const aheadMs = clock.now() - shared.now();
  if (Math.abs(aheadMs) >= TOLD_FROM_MS) {
    const howFar = `${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
    log('warn', `The clock of this computer is ${howFar} the database's. Drover goes by the database's`, { aheadMs });
  }
  return shared;
}

/** What this replica's configuration says, made known to all. */
async function prepare(ctx: Context, { project, patrolEveryMs }: CoordinatorOptions): Promise<void> {
  const now = ctx.clock.now();
  if (project !== null) await ctx.store.upsertProject(project, now);
  if (patrolEveryMs === null) return;
  const row = { kind: 'patrol' as const, key: PATROL_KEY, dueAt: now + patrolEveryMs, payload: {} };
  await ctx.store.transaction((tx) => tx.schedule([row]));
}

function listenForHints(
  url: string,
  wires: { log: Log; random: () => number; commands: Waiters; events: Waiters; resync: () => void },
): AsyncDisposable {
  const { log, random, commands, events, resync } = wires;
  return listen(url, ['drover_commands', 'drover_events'], {
    onNotify: (channel, payload) => heard(payload, channel === 'drover_commands' ? commands : events),
    log,
    random,
    onResync: () => {
      commands.wake('*');
      events.wake('*');
      resync();
    },
  });
}

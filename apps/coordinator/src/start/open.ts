/**
 * Opens a coordinator without timers, listeners or a socket: the part that answers requests, however the process around it lives. A
 * process that stays adds the rest (`start.ts`); a function that is started for a request does not (`requests.ts`).
 */
import type { Clock } from '@drover/base';
import { DEFAULT_POLICY } from '@drover/core';
import { connect, createSqlStore, examineSchema } from '@drover/store';
import type { Database, Store } from '@drover/store';
import type { Fleet } from '@drover/api';
import type { Hono } from 'hono';
import { HelloPace } from '../context/hello-pace.ts';
import { createFleetIdentity } from '../context/identity.ts';
import { Waiters } from '../context/waiters.ts';
import { drainDueWork } from '../due/drain.ts';
import { tickOnce } from '../due/tick.ts';
import { createHints } from './hints.ts';
import { createApp } from '../http/app.ts';
import type { DatabaseAddress } from '../database/address.ts';
import type { AppParts } from '../http/app.ts';
import type { Hosts } from '../context/hosts.ts';
import { createCounters } from '../metrics/count.ts';
import { createPage } from '../metrics/gauges.ts';
import { createMetrics } from '../metrics/metrics.ts';
import type { Ids } from '../context/ports.ts';
import type { CoordinatorOptions } from './options.ts';
import { startTokens } from './start-token.ts';
import { startTokenName } from '../context/token-names.ts';
import { openTracing } from '../context/traces/tracing.ts';
import type { Context } from '../context/context.ts';
import { createFleet } from './fleet.ts';

/** Options of a composition root, for every way of running the coordinator. */
export type OpenOptions = Pick<
  CoordinatorOptions,
  | 'host'
  | 'allowedHosts'
  | 'allowedOrigins'
  | 'webhookHosts'
  | 'publicUrl'
  | 'log'
  | 'onError'
  | 'clock'
  | 'ids'
  | 'random'
  | 'version'
  | 'pid'
  | 'project'
  | 'defaults'
  | 'token'
  | 'policy'
  | 'mail'
  | 'queue'
  | 'accountOf'
  | 'leases'
  | 'parcelBytes'
  | 'minVersion'
  | 'redactor'
  | 'patrolEveryMs'
  | 'tickSecret'
  | 'tracesUrl'
  | 'stop'
  | 'migrationsDir'
  | 'dashboardDir'
>;

/** Collects the names by which machines reach the coordinator, and the pages of other programs that may use it. */
export function hostsOf({
  host,
  allowedHosts = [],
  allowedOrigins = [],
}: Pick<CoordinatorOptions, 'host' | 'allowedHosts' | 'allowedOrigins'>): Hosts {
  return { listened: host, allowed: allowedHosts, origins: allowedOrigins };
}

/** Address of the database, and its clock. */
export interface OpenPlaces extends DatabaseAddress {
  /** Connections at most. */
  readonly connections: number;
  /** @returns the clock that all replicas of this database share. */
  readonly shareClock: (store: Store) => Promise<Clock>;
  /** Tells whether the process holds connections open, between which terminals go; absent: false. */
  readonly relaysTerminals?: boolean;
  /** Runs when a deadline is armed, with its time. */
  readonly due: (at: number) => void;
}

/** An open coordinator. Disposing it closes the connections. */
export interface OpenCoordinator extends AsyncDisposable {
  readonly ctx: Context;
  readonly commands: Waiters;
  readonly events: Waiters;
  readonly fleet: Fleet;
  /** Builds the app that answers requests. `drainsOnSync`: machines that sync cause due work to be done, because no loop does it. */
  serve(how: Pick<AppParts, 'vouch' | 'stopping'> & { readonly drainsOnSync: boolean }): Hono;
}

/** @throws when the database does not answer. */
export async function openCoordinator(options: OpenOptions, places: OpenPlaces): Promise<OpenCoordinator> {
  await using stack = new AsyncDisposableStack();
  const { log, random } = options;
  const { databaseUrl, connections, isPooled } = places;
  const { db, pool } = stack.use(connect<Database>(databaseUrl, { log, maxConnections: connections, isPooled }));
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => options.clock.after(ms, resolve));
  const store = createSqlStore(db, { sleep, random });
  const clock = await places.shareClock(store);
  const ids: Ids = { secret: options.ids.secret, uuid: () => options.ids.uuid(clock.now()) };
  const commands = new Waiters();
  const events = new Waiters();
  const hints = createHints({
    clock,
    log,
    commands,
    events,
    notify: (channel, payload) => store.notify(channel, payload),
    due: places.due,
  });
  const { tracesUrl, version } = options;
  const tracing =
    tracesUrl === undefined
      ? undefined
      : stack.use(await openTracing(tracesUrl, { version, clock: options.clock, log }));
  const metrics = createMetrics();
  const ctx: Context = {
    ...(options.onError !== undefined && { onError: options.onError }),
    counters: createCounters(metrics),
    ...(tracing !== undefined && { tracing }),
    store,
    clock,
    ids,
    identity: createFleetIdentity(await store.fleetSeed(ids.secret(), clock.now())),
    hosts: hostsOf(options),
    log,
    redactor: options.redactor,
    hints,
    fleetSize: { machines: 1 },
    hellos: new HelloPace(() => options.clock.elapsed()),
    ...(options.token !== null && { startToken: startTokenName(options.token) }),
    ownTokens: startTokens(options).map(startTokenName),
    ...(options.token?.person !== undefined && { startPerson: options.token.person }),
    random,
    policy: options.policy ?? DEFAULT_POLICY,
    ...(options.queue !== undefined && { queue: options.queue }),
    accountOf: options.accountOf ?? ((profile) => ({ program: profile, account: null })),
    ...(options.leases !== undefined && { leases: options.leases }),
    ...(options.parcelBytes !== undefined && { parcelBytes: options.parcelBytes }),
    ...(options.minVersion !== undefined && { minVersion: options.minVersion }),
    patrolEveryMs: options.patrolEveryMs,
    ...(options.publicUrl !== undefined && { publicUrl: options.publicUrl }),
    ...(options.mail !== undefined && {
      mail: (await import('../mail/mailer.ts')).createMailer(options.mail, options.clock),
    }),
  };
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
    relaysTerminals: places.relaysTerminals,
    defaults: options.defaults,
    schema: () => examineSchema(places.directUrl, { directory: options.migrationsDir, log }),
    stop: options.stop,
  });
  const metricsPage = createPage(metrics, { store, clock, pool, leases: options.leases });
  const { tickSecret } = options;
  const elapsed = (): number => options.clock.elapsed();
  const tools = { webhookHosts: options.webhookHosts ?? [], elapsed };
  const tick = (budgetMs: number): Promise<number> => tickOnce(ctx, tools, budgetMs);
  const drain = (budgetMs: number): Promise<number> => drainDueWork(ctx, { budget: { budgetMs, elapsed } });
  const opened = stack.move();
  return {
    ctx,
    commands,
    events,
    fleet,
    serve: ({ drainsOnSync, ...how }) =>
      createApp({
        ctx,
        fleet,
        commands,
        metricsPage,
        dashboardDir: options.dashboardDir ?? null,
        tick,
        tickSecret,
        doDueWork: drainsOnSync ? drain : null,
        ...how,
      }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

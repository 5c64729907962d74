/** Starts the coordinator: database, policy loop, HTTP. All lasting state is in the database. */
import type { Clock, Log } from '@drover/base';
import { listen, migrate, replicaChannel } from '@drover/store';
import type { Store } from '@drover/store';
import { backUpBeforeMigration, BackupLoop } from '../database/backup-loop.ts';
import type { Waiters } from '../context/waiters.ts';
import { DatabaseClock } from '../database/clock.ts';
import { DueLoop } from '../due/loop.ts';
import { heard } from './hints.ts';
import { addressOf } from '../database/address.ts';
import { startOwnPostgres } from '../database/own-postgres.ts';
import type { DatabaseAddress } from '../database/address.ts';
import { hostsOf, openCoordinator } from './open.ts';
import { Door } from '../door/door.ts';
import { Sender } from '../sending/sender.ts';
import { startServer } from '../http/server.ts';
import { TokenWatch } from '../door/token-watch.ts';
import { mailLane } from '../mail/lane.ts';
import { LiveFeed } from '../dashboard/live-rows.ts';
import { Relay } from '../terminals/relay.ts';
import { StartToken, startTokens } from './start-token.ts';
import { OutboxWatch } from '../agent/outbox-watch.ts';
import { prepare } from '../database/prepare.ts';
import { PolicyWatch } from './policy-watch.ts';
import type { CoordinatorOptions } from './options.ts';
import { invite } from '../use-cases/machines/machines.ts';
import { webhookLane } from '../webhooks/lane.ts';

/** A serving replica. Disposing it closes its connections, its timers, its socket and an embedded database. */
export interface Coordinator extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Public key of the coordinator: clients on this computer ask for a proof of it before they show a token. */
  readonly identity: string;
  /** Makes a join token for a machine of the user. */
  invite(): Promise<string>;
  /** Makes a join token for a gateway of the user. */
  inviteGateway(): Promise<string>;
  /** Address of the database, for tools on this machine. */
  readonly databaseUrl: string;
}

/** Database connections of one replica. */
const CONNECTIONS = 10;
const INVITE_TTL_MS = 10 * 60_000;
/** Milliseconds by which clocks may differ before a warning: synchronized clocks differ by less. */
const TOLD_FROM_MS = 2_000;

/**
 * Starts one replica. Any number may run on one database.
 *
 * @throws {EmbeddedPostgresError | MigrationError | ListenError} each with what to do.
 */
export async function startCoordinator(options: CoordinatorOptions): Promise<Coordinator> {
  await using stack = new AsyncDisposableStack();
  const { log, random, host, port, otherPorts = [] } = options;
  const { address, beforeChange } = await openDatabase(options, stack);
  const { databaseUrl, directUrl, isPooled } = address;
  await migrate(directUrl, { directory: options.migrationsDir, log, beforeChange });
  const wires: { loop?: DueLoop } = {};
  const opened = stack.use(
    await openCoordinator(options, {
      databaseUrl,
      directUrl,
      isPooled,
      connections: CONNECTIONS,
      shareClock: (store) => sharedClock(options, store),
      due: (at) => wires.loop?.wake(at),
      relaysTerminals: true,
    }),
  );
  const { ctx, commands, events } = opened;
  await prepare(ctx, { project: options.project, patrolEveryMs: options.patrolEveryMs });
  for (const making of startTokens(options)) stack.use(await StartToken.issue(ctx, making));
  const { project, readPolicy } = options;
  if (project !== null && readPolicy !== undefined) stack.use(new PolicyWatch(ctx, { project, read: readPolicy }));
  wires.loop = stack.use(new DueLoop(ctx, options.clock));
  if (ctx.mail !== undefined) stack.use(new Sender(ctx, mailLane(ctx, ctx.mail)).start());
  const resync = (): void => wires.loop?.wake(ctx.clock.now());
  const relay = new Relay({ replica: options.ids.uuid().replaceAll('-', ''), store: ctx.store, log });
  const tokens = stack.use(new TokenWatch(ctx));
  stack.use(new OutboxWatch(ctx, commands));
  stack.use(listenForHints(directUrl, { log, random, commands, events, relay, resync }));
  const stopping = new AbortController();
  const elapsed = (): number => options.clock.elapsed();
  const door = stack.use(
    new Door({
      hosts: hostsOf(options),
      trustedProxies: options.trustedProxies ?? [],
      elapsed,
      clock: options.clock,
      log,
    }),
  );
  const app = opened.serve({ vouch: door.vouch, stopping: stopping.signal, drainsOnSync: false });
  const live = stack.use(new LiveFeed({ ctx, fleet: opened.fleet, events }));
  const server = stack.use(
    await startServer({ ctx, app, commands, door, relay, live, tokens, elapsed, host, port, otherPorts }),
  );
  stack.use(new Sender(ctx, webhookLane(ctx, { allowed: options.webhookHosts ?? [] }), events).start());
  stack.defer(() => stopping.abort());
  const running = stack.move();
  return {
    url: server.url,
    port: server.port,
    identity: ctx.identity.id,
    databaseUrl: directUrl,
    invite: async () => (await invite(ctx, INVITE_TTL_MS)).token,
    inviteGateway: async () => (await invite(ctx, INVITE_TTL_MS, { forGateway: true })).token,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function openDatabase(
  { database, log, clock, fatal }: CoordinatorOptions,
  stack: AsyncDisposableStack,
): Promise<{ readonly address: DatabaseAddress; readonly beforeChange?: () => Promise<void> }> {
  // An admin backs up a server of the user's own.
  if (database.kind === 'url') return { address: addressOf(database) };
  const embedded = await startOwnPostgres(database.dataDir, { log });
  // Postgres restarts by itself; after a permanent failure nothing here can continue.
  let closing = false;
  void embedded.ended.then(() =>
    closing ? undefined : fatal('The embedded Postgres stopped and cannot be restarted; the log above says why'),
  );
  stack.use(embedded);
  const backups = { database: embedded, clock, log };
  stack.use(new BackupLoop(backups));
  stack.defer(() => {
    closing = true;
  });
  return {
    address: addressOf({ url: embedded.connectionString }),
    beforeChange: () => backUpBeforeMigration(backups),
  };
}

/**
 * Returns the shared clock. An embedded database is on this computer and has its clock, also after a sleep; the clock of any other
 * database is unknown.
 */
async function sharedClock({ database, clock, log }: CoordinatorOptions, store: Store): Promise<Clock> {
  if (database.kind === 'embedded') return clock;
  const shared = await DatabaseClock.open(clock, () => store.readClock());
  const aheadMs = clock.now() - shared.now();
  if (Math.abs(aheadMs) >= TOLD_FROM_MS) {
    const howFar = `${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
    log(
      'warn',
      `The clock of this computer is ${howFar} the clock of the database. Drover uses the clock of the database`,
      { aheadMs },
    );
  }
  return shared;
}

function listenForHints(
  url: string,
  wires: { log: Log; random: () => number; commands: Waiters; events: Waiters; relay: Relay; resync: () => void },
): AsyncDisposable {
  const { log, random, commands, events, relay, resync } = wires;
  const terminals = replicaChannel(relay.replica);
  return listen(url, ['drover_commands', 'drover_events', terminals], {
    onNotify: (channel, payload) =>
      channel === terminals ? relay.heard(payload) : heard(payload, channel === 'drover_commands' ? commands : events),
    log,
    random,
    onResync: () => {
      commands.wake('*');
      events.wake('*');
      resync();
    },
  });
}

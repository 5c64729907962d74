/** Composes a coordinator with the settings of this root. */
import path from 'node:path';
import { type Log, systemClock } from '@drover/base';
import type { Config } from '@drover/config';
import { formatProblem, loadConfig, projectSettings } from '@drover/config';
import {
  migrateDatabase,
  openRequests,
  saidOf,
  startCoordinator,
  systemIds,
  systemRandom,
  tokenNameProblem,
} from '@drover/coordinator';
import type {
  AccountName,
  Coordinator,
  CoordinatorOptions,
  DatabaseChoice,
  Leases,
  Migrated,
  PolicyReading,
  Requests,
  WorkerDefaults,
} from '@drover/coordinator';
import { examineSource } from '@drover/machine-agent';
import { isTooOld, PROTOCOL_VERSION } from '@drover/protocol';
import type { Redactor } from '@drover/protocol';
import { BUILT_IN_PROFILES } from '@drover/screen';
import { CommandError } from '../exit-codes.ts';
import type { Surroundings } from '../surroundings.ts';
import { VERSION } from '../version.ts';
import { dashboardDir } from '../processes/dashboard.ts';
import { databaseOf } from './database.ts';
import type { LogLine } from './log-file.ts';
import { migrationsDir } from './settings.ts';
import type { Settings } from './settings.ts';
import { checkToken } from './token.ts';

/** Differences between `drover up` and `drover server coordinator`. */
export interface CoordinatorChoice {
  /** Token of an admin, for as long as the coordinator runs; null: none is made. */
  readonly token: string | null;
  /** True if other coordinators have the same token, so that the token stays when this one ends. */
  readonly tokenIsShared: boolean;
  readonly host: string;
  readonly port: number;
  /** Ports that are tried in turn if another program listens on the port. Default: none. */
  readonly otherPorts?: readonly number[];
  readonly patrol: boolean;
  readonly log: Log;
  /** Keeps the rows of the error log beside the log. */
  readonly keep: (line: LogLine) => void;
  readonly redactor: Redactor;
  /** Reports that the process can do nothing any more. */
  readonly fatal: (message: string) => void;
  readonly stop: (() => void) | null;
  /** The bot that runs beside the coordinator; absent: none. */
  readonly bot?: CoordinatorOptions['bot'];
}

/** @throws with advice: the source, the database, the port. */
export async function composeCoordinator(
  surroundings: Surroundings,
  settings: Settings,
  {
    token,
    tokenIsShared,
    host,
    port,
    otherPorts = [],
    patrol,
    log,
    keep,
    redactor,
    fatal,
    stop,
    bot,
  }: CoordinatorChoice,
): Promise<Coordinator> {
  const now = { config: settings.config };
  return startCoordinator({
    ...everyCoordinator(surroundings, settings),
    defaults: (name) => defaultsOf(now.config, name),
    database: databaseOf(settings),
    port,
    otherPorts,
    host,
    trustedProxies: settings.config.coordinator.trusted_proxies,
    log,
    onError: ({ timestamp, severity, message, ...error }) =>
      keep({ at: timestamp, level: LEVELS[severity], message, fields: error }),
    redactor,
    project: await projectOf(surroundings, settings),
    token:
      token === null
        ? null
        : { name: 'local', secret: token, kept: tokenIsShared, ...personOf(surroundings, tokenIsShared) },
    readPolicy: async () => {
      const reading = await readAgain(surroundings, settings);
      if (reading.kind === 'read') now.config = reading.now;
      return reading;
    },
    patrolEveryMs: patrol ? patrolEveryMs(settings) : null,
    fatal,
    stop,
    ...(bot !== undefined && { bot }),
  });
}

/** Names the person at a computer whose token no other computer has. */
function personOf({ environment: { variables } }: Surroundings, tokenIsShared: boolean): { readonly person?: string } {
  const user = variables['USER'] ?? variables['LOGNAME'];
  return tokenIsShared || user === undefined ? {} : { person: `${user} at the terminal` };
}

/** Composes a coordinator that lives for its requests only. @throws with advice if no server of one's own is named. */
export async function composeRequests(
  surroundings: Surroundings,
  settings: Settings,
  { log, redactor }: Pick<CoordinatorChoice, 'log' | 'redactor'>,
): Promise<Requests> {
  const database = ownServer(settings);
  return openRequests({
    ...everyCoordinator(surroundings, settings),
    database,
    host: settings.config.coordinator.host,
    log,
    redactor,
    patrolEveryMs: patrolEveryMs(settings),
  });
}

/**
 * Migrates one's own server to this build and this configuration.
 *
 * @param admin Also makes a token of this name; null: none.
 * @throws with advice: no server of one's own is named, the source cannot be read.
 */
export async function migrateOwn(
  surroundings: Surroundings,
  settings: Settings,
  { admin, log }: { readonly admin: string | null; readonly log: Log },
): Promise<Migrated> {
  const database = ownServer(settings);
  const problem = admin === null ? null : tokenNameProblem(admin);
  if (problem !== null) throw new CommandError('usage', `--admin: ${problem}`);
  return migrateDatabase({
    database,
    migrationsDir: migrationsDir(),
    log,
    clock: systemClock,
    ids: systemIds,
    random: systemRandom,
    project: await projectOf(surroundings, settings),
    patrolEveryMs: patrolEveryMs(settings),
    admin,
  });
}

function ownServer(settings: Settings): Extract<DatabaseChoice, { kind: 'url' }> {
  const database = databaseOf(settings);
  if (database.kind === 'url') return database;
  throw new CommandError(
    'usage',
    'The Postgres server is missing: set DATABASE_URL. Only "drover up" has its own server',
  );
}

/** @throws {CommandError} for a version that this build's own agents do not reach. */
function servedSince(version: string): string {
  if (!isTooOld(PROTOCOL_VERSION, version)) return version;
  throw new CommandError(
    'usage',
    `coordinator.min_version is ${version}, but agents of this build speak ${PROTOCOL_VERSION}, so none could connect`,
  );
}

/** Reads the settings of every kind of coordinator. @throws {CommandError} for a bad secret. */
function everyCoordinator({ environment: { tickSecret } }: Surroundings, { config }: Settings) {
  if (tickSecret !== undefined) checkToken(tickSecret, 'DROVER_TICK_SECRET');
  return {
    migrationsDir: migrationsDir(),
    dashboardDir: dashboardDir(),
    allowedHosts: config.coordinator.allowed_hosts,
    allowedOrigins: config.coordinator.allowed_origins,
    webhookHosts: config.coordinator.webhook_hosts,
    ...(config.coordinator.public_url !== undefined && { publicUrl: config.coordinator.public_url }),
    clock: systemClock,
    ids: systemIds,
    random: systemRandom,
    version: VERSION,
    pid: process.pid,
    defaults: (name: string) => defaultsOf(config, name),
    accountOf: (profile: string) => accountOf(config, profile),
    queue: { take: config.queue.take, itemsMax: config.queue.max_items },
    leases: leasesOf(config),
    parcelBytes: config.coordinator.parcel_max_mib * 1024 ** 2,
    ...(config.coordinator.min_version !== undefined && { minVersion: servedSince(config.coordinator.min_version) }),
    ...(config.email.smtp_url !== undefined && { mail: { url: config.email.smtp_url, from: config.email.from } }),
    ...(tickSecret !== undefined && { tickSecret }),
    ...(config.coordinator.traces_url !== undefined && { tracesUrl: config.coordinator.traces_url }),
  };
}

function patrolEveryMs({ config }: Settings): number {
  return config.defaults.patrol_interval_secs * 1_000;
}

/** Levels of the log for levels of the error log. */
const LEVELS = { fatal: 'error', error: 'error', warning: 'warn', info: 'info' } as const;

function leasesOf({ coordinator }: Config): Leases {
  const { suspect_after_secs: suspect, disconnected_after_secs: disconnected } = coordinator;
  return { suspectAfterMs: suspect * 1_000, disconnectedAfterMs: disconnected * 1_000 };
}

type Reading =
  | Extract<PolicyReading, { kind: 'broken' }>
  | (Extract<PolicyReading, { kind: 'read' }> & { readonly now: Config });

/** Reads `drover.toml` again. Profiles of agents stay as they were at the start: machines have them from there. */
async function readAgain(
  { environment }: Surroundings,
  { config: first, paths: { root } }: Settings,
): Promise<Reading> {
  const outcome = await loadConfig({ root, environment });
  if (outcome.kind === 'invalid') return { kind: 'broken', problems: outcome.problems.map(formatProblem) };
  const config = { ...first, defaults: outcome.config.defaults, workers: outcome.config.workers };
  return {
    kind: 'read',
    now: config,
    config: projectSettings(outcome.config),
    says: (name) => defaultsOf(config, name),
  };
}

async function projectOf(
  { environment, uuid }: Surroundings,
  { config, paths, root }: Settings,
): Promise<CoordinatorOptions['project']> {
  // Without a root there is no project of its own: "drover project apply" and "drover project add" define projects.
  if (root === null) return null;
  const { source, default_branch: branch } = config.repo;
  const check = await examineSource(environment.variables, source, branch);
  // Uncommitted changes matter only at a merge, and are reported then.
  if (check.kind !== 'ok' && check.kind !== 'dirty')
    throw new CommandError('usage', `${check.message} (repo.source in ${paths.root}/drover.toml)`);
  const defaultBranch = check.kind === 'ok' ? check.defaultBranch : branch;
  if (defaultBranch === undefined)
    throw new CommandError('usage', `${'message' in check ? check.message : ''} (or set repo.default_branch)`);
  return {
    id: uuid(),
    name: path.basename(paths.root),
    source,
    root: paths.root,
    defaultBranch,
    config: projectSettings(config),
  };
}

/** Names the account of a profile: a profile of the build by the program that it starts; another one by the program that the configuration names. */
function accountOf(config: Config, profile: string): AccountName {
  const own = config.profiles[profile];
  const [started] = own?.program ?? [];
  const program = BUILT_IN_PROFILES.has(profile) || started === undefined ? profile : path.basename(started);
  const accounts = Object.entries(config.accounts).flatMap(([name, { profiles }]) =>
    profiles.includes(profile) ? [name] : [],
  );
  return { program, account: own?.account ?? null, accounts };
}

function defaultsOf(config: Config, name: string): WorkerDefaults {
  return { ...saidOf(projectSettings(config).workers, name), profiles: Object.keys(config.profiles) };
}

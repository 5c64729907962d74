/** A coordinator with the settings of this root. */
import path from 'node:path';
import type { Config } from '@drover/config';
import { formatProblem, loadConfig, oncallPolicy, policyDocuments, workerOptions } from '@drover/config';
import { startCoordinator, systemClock, systemIds, systemRandom } from '@drover/coordinator';
import type {
  AccountName,
  Coordinator,
  CoordinatorOptions,
  Leases,
  PolicyReading,
  WorkerDefaults,
} from '@drover/coordinator';
import { examineSource } from '@drover/machine-agent';
import type { Redactor } from '@drover/protocol';
import { BUILT_IN_PROFILES } from '@drover/screen';
import { CommandError } from '../exit-codes.ts';
import type { Surroundings } from '../surroundings.ts';
import { VERSION } from '../version.ts';
import { databaseOf } from './database.ts';
import type { LogLine } from './log-file.ts';
import type { Log } from './log.ts';
import { migrationsDir } from './settings.ts';
import type { Settings } from './settings.ts';

/** What differs between `drover up` and `drover coordinator`. */
export interface CoordinatorChoice {
  readonly token: string;
  /** Whether other coordinators show the same token, so that it stays when this one ends. */
  readonly tokenIsShared: boolean;
  readonly host: string;
  readonly port: number;
  readonly patrol: boolean;
  readonly log: Log;
  /** Keeps the rows of the error log beside the log. */
  readonly keep: (line: LogLine) => void;
  readonly redactor: Redactor;
  /** Called when the process can do nothing any more. */
  readonly fatal: (message: string) => void;
  readonly stop: (() => void) | null;
  /** The bot that runs beside it; absent: none. */
  readonly bot?: CoordinatorOptions['bot'];
}

/** @throws with what to do: the source, the database, the port. */
export async function composeCoordinator(
  surroundings: Surroundings,
  settings: Settings,
  { token, tokenIsShared, host, port, patrol, log, keep, redactor, fatal, stop, bot }: CoordinatorChoice,
): Promise<Coordinator> {
  const { config } = settings;
  return startCoordinator({
    database: databaseOf(settings),
    migrationsDir: migrationsDir(),
    host,
    port,
    allowedHosts: config.coordinator.allowed_hosts,
    trustedProxies: config.coordinator.trusted_proxies,
    webhookHosts: config.coordinator.webhook_hosts,
    log,
    onError: ({ timestamp, severity, message, ...error }) =>
      keep({ at: timestamp, level: LEVELS[severity], message, fields: error }),
    redactor,
    clock: systemClock,
    ids: systemIds,
    random: systemRandom,
    version: VERSION,
    pid: process.pid,
    project: await projectOf(surroundings, settings),
    defaults: (name) => defaultsOf(config, name),
    token: { name: 'local', secret: token, kept: tokenIsShared },
    readPolicy: () => readPolicy(surroundings, settings),
    accountOf: (profile) => accountOf(config, profile),
    queue: { take: config.queue.take, itemsMax: config.queue.max_items },
    leases: leasesOf(config),
    parcelBytes: config.coordinator.parcel_max_mib * 1024 ** 2,
    ...(config.email.smtp_url !== undefined && { mail: { url: config.email.smtp_url, from: config.email.from } }),
    patrolEveryMs: patrol ? config.defaults.patrol_interval_secs * 1_000 : null,
    fatal,
    stop,
    ...(bot !== undefined && { bot }),
  });
}

/** Levels of the log for the error log's own. */
const LEVELS = { fatal: 'error', error: 'error', warning: 'warn', info: 'info' } as const;

function leasesOf({ coordinator }: Config): Leases {
  const { suspect_after_secs: suspect, disconnected_after_secs: disconnected } = coordinator;
  return { suspectAfterMs: suspect * 1_000, disconnectedAfterMs: disconnected * 1_000 };
}

/** The policy as `drover.toml` has it now. */
async function readPolicy({ environment }: Surroundings, { paths: { root } }: Settings): Promise<PolicyReading> {
  const outcome = await loadConfig({ root, environment });
  if (outcome.kind === 'invalid') return { kind: 'broken', problems: outcome.problems.map(formatProblem) };
  const { config } = outcome;
  return { kind: 'read', policy: policyDocuments(config), escalation: oncallPolicy(config) };
}

async function projectOf(
  { environment, uuid }: Surroundings,
  { config, paths }: Settings,
): Promise<CoordinatorOptions['project']> {
  const {
    source,
    default_branch: branch,
    copy_files,
    validate,
    setup,
    validate_from,
    validate_timeout_secs,
    run_hooks,
    publish,
    open_request,
    preamble,
    home,
  } = config.repo;
  const check = await examineSource(environment.variables, source, branch);
  // Uncommitted changes only matter when work is merged, and are told then.
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
    config: {
      copyFiles: copy_files,
      validate,
      setup,
      validateFrom: validate_from === 'repository' ? 'repository' : 'order',
      validateTimeoutMs: validate_timeout_secs * 1_000,
      runHooks: run_hooks,
      publish,
      openRequest: open_request,
      preamble,
      home: home ?? null,
      policy: policyDocuments(config),
      escalation: oncallPolicy(config),
    },
  };
}

/** A profile of the build is known by the program that it starts; another one by the program that the configuration names. */
function accountOf(config: Config, profile: string): AccountName {
  const own = config.profiles[profile];
  const [started] = own?.program ?? [];
  const program = BUILT_IN_PROFILES.has(profile) || started === undefined ? profile : path.basename(started);
  return { program, account: own?.account ?? null };
}

function defaultsOf(config: Config, name: string): WorkerDefaults {
  const own = workerOptions(config, name);
  const { session_width, session_height } = config.defaults;
  return {
    profile: own.profile,
    profiles: Object.keys(config.profiles),
    model: own.model ?? null,
    rolePrompt: own.role_prompt,
    skipPermissions: own.skip_permissions,
    allowedTools: own.allowed_tools,
    excludedFromPool: own.excluded_from_pool,
    sessionWidth: session_width,
    sessionHeight: session_height,
  };
}

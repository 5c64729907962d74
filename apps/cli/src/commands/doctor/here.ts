/** Finds problems of this machine and this root that would keep Drover from working, without a coordinator. */
import { access, constants, statfs } from 'node:fs/promises';
import { messageOf } from '@drover/base';
import type { DiagnosisView } from '@drover/api';
import { formatProblem, loadConfig } from '@drover/config';
import type { Config, Paths } from '@drover/config';
import { machinePaths } from '@drover/config/surroundings';
import {
  agentDirectory,
  examineAgent,
  examineHelpers,
  examineIsolation,
  examineMachine,
  examineSource,
  examineSupplies,
  upstreamWarning,
} from '@drover/machine-agent';
import { shellWord } from '@drover/core/shell-word';
import { isThere } from '../../service/steps.ts';
import { ago, sizeText } from '../../terminal/style.ts';
import type { Surroundings } from '../../surroundings.ts';
import { explain } from '../../world-errors.ts';
import { offline } from '../../compose/database.ts';
import { FOLLOW_OFFER } from '../project/follow.ts';

type Variables = Surroundings['environment']['variables'];

/** A finding of the doctor. */
export type Finding = DiagnosisView['findings'][number];

/** Free bytes below which the doctor warns. */
const FREE_BYTES_MIN = 1024 ** 3;
/** Age of the newest backup in milliseconds above which the doctor warns: one a day is made while Drover is up. */
const BACKUP_AGE_MAX_MS = 2 * 24 * 3_600_000;

/** Checks programs, configuration, source, data directory, disk, backups. */
export async function examineHere(surroundings: Surroundings): Promise<readonly Finding[]> {
  const programs = await examineMachine(surroundings.environment.variables);
  return [
    ...programs.map(({ what, ok, says }) =>
      line('program', what, { says, help: ok ? null : `${what} ${what === 'tmux' ? '-V' : '--version'}` }),
    ),
    line('program', 'node', { says: process.version, help: null }),
    ...(await findingsOf('root', () => examineRoot(surroundings))),
  ];
}

/** Runs a check; a failed check is a finding too. */
export async function findingsOf(about: string, check: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error) {
    return [{ check: 'check', about, level: 'problem', says: explain(error).message, help: null }];
  }
}

/** Makes a finding, which is a problem if it names a remedy. */
export function line(
  check: string,
  about: string,
  { says, help }: { readonly says: string; readonly help: string | null },
): Finding {
  return { check, about, level: help === null ? 'ok' : 'problem', says, help };
}

async function examineRoot(surroundings: Surroundings): Promise<readonly Finding[]> {
  const { paths, environment } = surroundings;
  if (paths === null) return [await examineRootless(surroundings)];
  const outcome = await loadConfig({ root: paths.root, environment });
  if (outcome.kind === 'invalid')
    return [
      line('config', 'drover.toml', {
        says: outcome.problems.map(formatProblem).join('; '),
        help: 'drover project check',
      }),
    ];
  const { config } = outcome;
  const check = await examineSource(environment.variables, config.repo.source, config.repo.default_branch);
  return [
    line('config', 'drover.toml', { says: `${paths.root}/drover.toml`, help: null }),
    sourceLine(check, config.repo),
    ...(await findingsOf('source', () => examineWorktrees(environment.variables, config))),
    ...(await findingsOf('agents', () => examineAgents(environment.variables, config))),
    ...(await findingsOf('isolation', () => examineCages(environment.variables, config))),
    await examineData(paths.dataDir),
    ...(await findingsOf('backups', () => examineBackups(surroundings, config, paths))),
  ];
}

function sourceLine(
  check: Awaited<ReturnType<typeof examineSource>>,
  { source, follow }: { readonly source: string; readonly follow: 'nothing' | 'upstream' },
): Finding {
  if (check.kind !== 'ok')
    return line('source', 'source', { says: check.message, help: `git -C ${shellWord(source)} status` });
  const { root, defaultBranch, upstream } = check;
  const follows = follow === 'upstream';
  const behind = upstreamWarning(defaultBranch, upstream, { follows });
  const offer = follows ? '' : `. ${FOLLOW_OFFER}`;
  if (behind !== undefined)
    return line('source', 'source', { says: `${behind}${offer}`, help: `git -C ${shellWord(root)} pull` });
  return line('source', 'source', { says: `${root}, branch ${defaultBranch}`, help: null });
}

/**
 * Examines a place without a root. A root is for one machine by itself: a person who talks to a remote fleet needs
 * none, and neither does a machine that has joined one.
 */
export async function examineRootless({
  environment,
  rootProblem,
}: Pick<Surroundings, 'environment' | 'rootProblem'>): Promise<Finding> {
  const { dataDir } = machinePaths({ env: environment, platform: process.platform });
  const says =
    environment.url !== undefined
      ? `none here, and none is needed for the fleet at ${environment.url}`
      : (await isThere(agentDirectory(dataDir)))
        ? 'none here, and none is needed: this machine has joined a fleet. To check that fleet, set DROVER_URL and DROVER_TOKEN'
        : null;
  return line('root', 'root', says === null ? { says: rootProblem, help: 'drover init' } : { says, help: null });
}

/** Finds supplies that a worktree here would lack. Nothing fails for it: an agent works on less than the project has. */
async function examineWorktrees(variables: Variables, { repo, agent }: Config): Promise<readonly Finding[]> {
  const allowed = agent.allowed_copy_files ?? null;
  const found = await examineSupplies(variables, { source: repo.source, patterns: repo.copy_files, allowed });
  return found.map(({ what, ok, says }) => ({
    check: 'supplies',
    about: what,
    level: ok ? 'ok' : 'warning',
    says,
    help: ok ? null : what === 'copy_files' ? 'drover project check' : 'git lfs version',
  }));
}

/** Examines each agent program that a worker of this root is started with, its login, and missing parts that work can do without. */
async function examineAgents(variables: Variables, config: Config): Promise<readonly Finding[]> {
  const names = new Set([
    config.defaults.profile,
    ...Object.values(config.workers).flatMap(({ profile }) => profile ?? []),
    ...Object.keys(config.profiles),
  ]);
  const agents = [...names].map((profile) => {
    const { program, env } = config.profiles[profile] ?? {};
    return examineAgent(variables, { profile, program, env });
  });
  const found = [...(await Promise.all(agents)).flat(), ...(await examineHelpers(variables))];
  return found.map(({ what, ok, says }) => ({
    check: 'agents',
    about: what,
    level: ok ? 'ok' : 'warning',
    says,
    help: null,
  }));
}

/**
 * Examines isolation: without it, workers of these profiles would not be started, because Drover starts nothing
 * unprotected that shall be isolated.
 */
async function examineCages(variables: Variables, { profiles }: Config): Promise<readonly Finding[]> {
  const names = Object.entries(profiles).flatMap(([name, { isolation }]) => (isolation === 'bubblewrap' ? [name] : []));
  if (names.length === 0) return [];
  const { what, ok, says } = await examineIsolation(variables);
  const about = `profiles ${names.join(', ')}`;
  return [
    line(what, about, {
      says: ok ? says : `their workers do not start: ${says}`,
      help: ok ? null : 'bwrap --version',
    }),
  ];
}

async function examineData(dataDir: string): Promise<Finding> {
  const about = 'data directory';
  try {
    await access(dataDir, constants.W_OK);
    const { bavail, bsize } = await statfs(dataDir);
    const says = `${dataDir}, ${sizeText(bavail * bsize)} free`;
    return bavail * bsize < FREE_BYTES_MIN
      ? line('disk', about, { says: `${says}: the database will stop`, help: 'df -h' })
      : line('disk', about, { says, help: null });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return line('disk', about, { says: `${dataDir} will be made by "drover up"`, help: null });
    const why = messageOf(error);
    return line('disk', about, { says: `${dataDir} cannot be written: ${why}`, help: `ls -ld ${shellWord(dataDir)}` });
  }
}

async function examineBackups(surroundings: Surroundings, config: Config, paths: Paths): Promise<readonly Finding[]> {
  const database = offline(surroundings, { config, paths });
  const about = 'backups';
  if (database.database.kind === 'url')
    return [
      line('backups', about, { says: 'the owner of the server that DATABASE_URL names makes its backups', help: null }),
    ];
  if (!(await database.exists())) return [line('backups', about, { says: 'there is no database yet', help: null })];
  return tellBackups(await database.backups(), surroundings.now());
}

/** Makes a finding for each backup, in the given order, newest first; only the newest can be too old. `now` in epoch milliseconds. */
export function tellBackups(
  backups: readonly { readonly name: string; readonly takenAt: number; readonly bytes: number }[],
  now: number,
): readonly Finding[] {
  const [newest] = backups;
  if (newest === undefined) {
    const says = 'there is none yet: Drover makes the first one a minute after "drover up"';
    return [{ check: 'backups', about: 'backups', level: 'warning', says, help: 'drover up' }];
  }
  const isOld = now - newest.takenAt > BACKUP_AGE_MAX_MS;
  return backups.map(({ name, takenAt, bytes }, index) => ({
    check: 'backups',
    about: `backup ${name}`,
    level: index === 0 && isOld ? 'warning' : 'ok',
    says: `${ago(now - takenAt)}, ${sizeText(bytes)}`,
    help: index === 0 && isOld ? 'drover up' : null,
  }));
}

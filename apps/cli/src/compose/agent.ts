/** Composes a machine agent with the settings of this root. */
import { mkdir } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import path from 'node:path';
import { type LocalClock, type Log, systemClock } from '@drover/base';
import type { Config, Paths } from '@drover/config';
import { systemIds, systemRandom } from '@drover/coordinator';
import { agentDirectory, makeProgramEnvironment, startMachineAgent } from '@drover/machine-agent';
import type { Ceilings, MachineAgent } from '@drover/machine-agent';
import { isSecretName, type Redactor } from '@drover/protocol';
import { pruneCompiled } from '../processes/compiled.ts';
import { profileDirectories, readProfileFiles } from '../profiles/files.ts';
import type { Surroundings } from '../surroundings.ts';
import { VERSION } from '../version.ts';
import { watchProfileFiles } from './profile-files.ts';
import { migrationsDir } from './settings.ts';
import type { Settings } from './settings.ts';

/** Differences between `drover up` and `drover server agent`. */
export interface AgentChoice {
  readonly url: string;
  readonly joinToken: string | undefined;
  readonly name: string | undefined;
  /** True if each tmux server that is started gets a systemd scope of its own. */
  readonly tmuxScope?: boolean;
  /** Called when the coordinator has answered. */
  readonly onConnected?: () => void;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
}

/** @throws AgentDirectoryError if another agent runs on the data directory, or the directory cannot be used. */
export async function composeAgent(
  { environment, now }: Surroundings,
  settings: Settings,
  { url, joinToken, name, tmuxScope = false, onConnected, log, redactor, signal }: AgentChoice,
): Promise<MachineAgent> {
  const { config, paths } = settings;
  if (joinToken !== undefined) redactor.add(joinToken);
  void pruneCompiled(getCompileCacheDir(), now());
  // A clone would make it with the modes of the user's files, and the next start would warn of that.
  if (config.agent.workspace === undefined) await mkdir(workspaceIn(paths), { recursive: true, mode: 0o700 });
  const agent = await startMachineAgent({
    documents: await readProfileFiles(profileDirectories(paths), (problem) => log('warn', problem)),
    coordinatorUrl: url,
    dataDir: agentDirectory(paths.dataDir),
    runtimeDir: paths.runtimeDir,
    machineName: name ?? config.agent.name ?? environment.hostName,
    joinToken,
    profiles: config.profiles,
    accounts: accountsAt(config, environment.home),
    places: placesOf(settings),
    ceilings: ceilingsOf(settings),
    shardSize: config.agent.shard_size,
    ...(tmuxScope && { tmuxStartedBy: SCOPE }),
    ...(onConnected !== undefined && { onConnected }),
    env: await environmentOfAgents(environment, config, { log, redactor }),
    hookCommand: hookCommand(),
    hidden: hiddenPlaces(paths),
    programs: programPlaces(),
    home: environment.home,
    version: VERSION,
    redactor,
    log,
    clock: agentClock,
    ids: () => systemIds.uuid(),
    random: systemRandom,
    signal,
  });
  const watching = await watchProfileFiles(profileDirectories(paths), {
    log,
    after: systemClock.after,
    use: (documents) => agent.useDocuments(documents),
  });
  signal.addEventListener('abort', () => watching[Symbol.dispose](), { once: true });
  return agent;
}

/** Asks the login shell, and reports variables of Drover's own start that agents do not get. */
/** Writes out `~/` of the home directories of accounts. */
export function accountsAt({ accounts }: Config, home: string): Config['accounts'] {
  const places = Object.entries(accounts).map(([name, account]) => {
    const at = account.home?.startsWith('~/') === true ? path.join(home, account.home.slice(2)) : account.home;
    return [name, { ...account, home: at }] as const;
  });
  return Object.fromEntries(places);
}

async function environmentOfAgents(
  { variables: starter, shell, home }: Surroundings['environment'],
  { agent: { inherit }, redact }: Settings['config'],
  { log, redactor }: Pick<AgentChoice, 'log' | 'redactor'>,
): Promise<Readonly<Record<string, string>>> {
  const mark = systemIds.uuid();
  const { variables, dropped, silent } = await makeProgramEnvironment({ starter, shell, home, inherit, mark });
  for (const [name, value] of Object.entries(variables)) if (isSecretName(name, redact.names)) redactor.add(value);
  if (silent !== null) {
    log(
      'warn',
      `The login shell ${silent}: agents get PATH and a few more variables of the environment that started Drover, and none that the shell sets. Make sure that "exec $SHELL -lic env" ends; agent.inherit in drover.toml adds variables`,
    );
  }
  if (dropped.length > 0) {
    log(
      'warn',
      `Agents do not get ${dropped.join(', ')}: they have the variables of your login shell. If agents need one, name it in agent.inherit of drover.toml or set it in [profiles.NAME.env]`,
    );
  }
  return variables;
}

/** Returns the place of checkouts, if the configuration names none. */
function workspaceIn({ dataDir }: Pick<Paths, 'dataDir'>): string {
  return path.join(dataDir, 'workspace');
}

/** Command that starts a scope: neither an end of the agent's service nor a limit on its memory reaches processes in a scope of their own. */
const SCOPE = ['systemd-run', '--user', '--scope', '--quiet', '--collect', '--description=Panes of Drover', '--'];

/** The clock of this computer, for the agent. */
export const agentClock: LocalClock = {
  now: () => systemClock.now(),
  elapsed: () => systemClock.elapsed(),
  after: (delayMs, run) => systemClock.after(delayMs, run),
};

/** Lists the places of checkouts on this machine: the root of its start is one. */
export function placesOf({ config: { agent }, paths, root }: Settings): {
  workspace: string;
  roots: Record<string, string>;
} {
  return {
    workspace: agent.workspace ?? workspaceIn(paths),
    roots: { ...(root !== null && { [path.basename(root)]: root }), ...agent.checkouts },
  };
}

/** Reads the limits of this machine's own drover.toml; no command of a coordinator can exceed them. */
export function ceilingsOf(settings: Settings): Ceilings {
  const { agent } = settings.config;
  const { workspace, roots } = placesOf(settings);
  return {
    roots: agent.allowed_roots.length > 0 ? agent.allowed_roots : [workspace, ...Object.values(roots)],
    sources: agent.allowed_sources ?? null,
    profiles: agent.allowed_profiles ?? null,
    tools: agent.allowed_tools ?? null,
    skipPermissions: agent.skip_permissions,
    checks: agent.validate,
    copyFiles: agent.allowed_copy_files ?? null,
    trust: agent.allowed_trust ?? null,
    hooks: agent.run_hooks,
    requests: agent.open_request,
    terminals: agent.terminals,
  };
}

/** Lists Drover's directories of all roots, or their common parent. */
function hiddenPlaces({ configDir, dataDir, stateDir, cacheDir, runtimeDir }: Paths): readonly string[] {
  const shared = path.basename(path.dirname(dataDir)) === 'drover' ? path.dirname(dataDir) : dataDir;
  return [configDir, shared, path.dirname(stateDir), path.dirname(cacheDir), path.dirname(runtimeDir)];
}

/** Finds the installation of this Drover and its Node, for its hooks: all of it, for `bin/drover` and for the bundle itself. */
function programPlaces(): readonly string[] {
  return [path.dirname(migrationsDir()), path.dirname(process.execPath)];
}

/** Returns the command for hooks: the program that runs here, the sources or the bundle. */
function hookCommand(): readonly string[] | undefined {
  const [node, program] = process.argv;
  return node === undefined || program === undefined ? undefined : [node, program, 'hook'];
}

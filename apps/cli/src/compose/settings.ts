/** The configuration and directories of this root, checked before anything is started. */
import { access, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  closeToOthers,
  CONFIG_FILE,
  ROOT_NOTE,
  formatProblem,
  loadConfig,
  machinePaths,
  makePrivateDirectory,
  parseConfig,
} from '@drover/config';
import type { Config, ConfigOutcome, Paths } from '@drover/config';
import { rootAround } from '@drover/config/surroundings';
import { CommandError } from '../exit-codes.ts';
import { needRoot } from '../surroundings.ts';
import type { Surroundings } from '../surroundings.ts';

/** The settings of this root. */
export interface Settings {
  readonly config: Config;
  readonly paths: Paths;
  /** The Drover root; null for a machine agent outside of any. */
  readonly root: string | null;
  /** Tells whether a person has set this dotted key: in the file, in the environment or by an option. */
  readonly isSet: (key: string) => boolean;
}

/** Reads `drover.toml` and makes the directories. @throws {CommandError | ConfigError} with advice. */
export async function readSettings(
  surroundings: Surroundings,
  options: Readonly<Record<string, unknown>>,
): Promise<Settings> {
  const { environment } = surroundings;
  const paths = needRoot(surroundings);
  const outcome = await loadConfig({ root: paths.root, environment, options });
  return settingsOf(surroundings, { outcome, paths, root: paths.root });
}

/**
 * Reads the settings of a machine agent, a coordinator or a bot, which need no root: those of the root around it, or
 * without a root those of the person, who may have written none.
 *
 * @throws {CommandError | ConfigError} with advice.
 */
export async function readOwnSettings(
  surroundings: Surroundings,
  options: Readonly<Record<string, unknown>> = {},
): Promise<Settings> {
  const { environment, cwd } = surroundings;
  // A root beside a source is for what a person types there, not for parts of other fleets.
  const isMeant = environment.root !== undefined || (await rootAround(cwd)) !== undefined;
  if (surroundings.paths !== null && isMeant) return readSettings(surroundings, options);
  const paths = machinePaths({ env: environment, platform: process.platform });
  const file = path.join(paths.root, CONFIG_FILE);
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  const input = { root: paths.root, environment, options };
  const outcome = isThere ? await loadConfig(input) : parseConfig('', input);
  return settingsOf(surroundings, { outcome, paths, root: null });
}

async function settingsOf(
  surroundings: Surroundings,
  { outcome, paths, root }: { readonly outcome: ConfigOutcome; readonly paths: Paths; readonly root: string | null },
): Promise<Settings> {
  const { terminal } = surroundings;
  if (outcome.kind === 'invalid') throw new CommandError('usage', outcome.problems.map(formatProblem).join('\n'));
  for (const warning of outcome.warnings) terminal.err(`warning: ${warning}`);
  await closePlaces(surroundings, paths);
  if (root !== null) await writeFile(path.join(paths.dataDir, ROOT_NOTE), `${root}\n`, { mode: 0o600 });
  const { originOf } = outcome;
  const isSet = (key: string): boolean => originOf(key).kind !== 'default';
  return { config: await withSimulatedAgent(outcome.config), paths, root, isSet };
}

/** Makes directories private that others could read, and reports it: other users of this machine may have read them. */
async function closePlaces({ environment, terminal }: Surroundings, paths: Paths): Promise<void> {
  const { root, dataDir, runtimeDir } = paths;
  const worktrees = path.join(root, '.worktrees');
  if (dataDir === worktrees || dataDir.startsWith(worktrees + path.sep)) {
    const message = `DROVER_DATA_DIR names ${dataDir}, inside the worktrees of the workers: choose a directory outside of ${root}`;
    throw new CommandError('usage', message);
  }
  for (const directory of [dataDir, runtimeDir]) {
    const { openMode } = await makePrivateDirectory(directory, { uid: environment.uid });
    if (openMode !== null) terminal.err(exposureWarning(directory, openMode));
  }
  for (const { path: file, mode } of await closeToOthers(dataDir)) terminal.err(exposureWarning(file, mode));
}

function exposureWarning(place: string, mode: string): string {
  return `warning: other users of this machine could read ${place} (mode ${mode}); Drover has now closed it to them. If you do not trust them, make new tokens`;
}

/** Places of the simulated agent: in the bundle, and in a checkout. */
const SIMULATED_AGENTS = ['../sim-agent.js', '../../../sim-agent/src/main.ts'];

/** Adds the simulated agent, which comes with Drover: its profile needs no entry in drover.toml. */
async function withSimulatedAgent(config: Config): Promise<Config> {
  const own = config.profiles['sim'];
  if (own?.program !== undefined) return config;
  const program = await firstThere(SIMULATED_AGENTS.map((place) => fileURLToPath(new URL(place, import.meta.url))));
  if (program === null) return config;
  const sim = { ...own, args: own?.args ?? [], env: own?.env ?? {}, program: [process.execPath, program] };
  return { ...config, profiles: { ...config.profiles, sim } };
}

async function firstThere(files: readonly string[]): Promise<string | null> {
  for (const file of files) {
    const isThere = await access(file).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return null;
}

/** Finds the numbered SQL files that come with this build. */
export function migrationsDir(): string {
  return path.resolve(fileURLToPath(new URL('../../../../migrations', import.meta.url)));
}

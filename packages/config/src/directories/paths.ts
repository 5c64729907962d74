// Names the directories in which the Drover of one root keeps its files.
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Environment } from '../environment.ts';

/** Directories of one root. None of them is made by looking them up: see `makePrivateDirectory`. */
export type Paths = {
  /** The directory that holds `drover.toml`. */
  readonly root: string;
  /** Files that a person writes for all roots. */
  readonly configDir: string;
  /** Files that must not be lost: the database, journals, keys. */
  readonly dataDir: string;
  /** Files that are worth keeping but can be lost: logs. */
  readonly stateDir: string;
  /** Sockets. Short: a unix socket's path has at most 103 bytes (macOS). */
  readonly runtimeDir: string;
  /** Files that can be made again. */
  readonly cacheDir: string;
};

/**
 * Longest runtime directory, in bytes, before the next one is taken: in `XDG_RUNTIME_DIR`, with the data, in `/tmp`.
 * A socket's path may have 103 bytes and the longest name that Drover gives one has less than 32.
 */
const RUNTIME_DIR_BYTES_MAX = 70;

/**
 * The directory of all runtime directories. The paths of sockets are in the command lines of tmux servers, so it is no word by which an agent
 * ends its own programs (docs/adr/0023-one-user-guard-rails-and-a-cage.md).
 */
const RUNTIME_NAME = 'fleets';

/**
 * Finds the directories by the XDG base directory specification, which `XDG_*` variables move on every platform.
 * Two roots share none of them but `configDir`; two data directories of one root share no `runtimeDir`.
 *
 * @param root Absolute path with its links resolved, as `findRoot` gives it: another spelling is another root.
 */
export function paths({ env, platform, root }: { env: Environment; platform: NodeJS.Platform; root: string }): Paths {
  return pathsOf({ env, platform, root, own: `${path.basename(root) || 'root'}-${shortHash(root)}` });
}

/**
 * The directories of a machine agent that runs outside of any root: one for each user and data directory. As `root` stands the
 * directory of the person's settings, whose `drover.toml` may say what the machine's owner allows.
 */
export function machinePaths({ env, platform }: { env: Environment; platform: NodeJS.Platform }): Paths {
  return pathsOf({ env, platform, root: userConfigDir(env, platform), own: 'machine' });
}

function pathsOf({
  env,
  platform,
  root,
  own,
}: {
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  readonly root: string;
  readonly own: string;
}): Paths {
  const base = baseDirectories(env, platform);
  const dataDir = env.dataDir === undefined ? path.join(base.data, 'drover', own) : path.resolve(root, env.dataDir);
  return Object.freeze({
    root,
    configDir: path.join(base.config, 'drover'),
    dataDir,
    stateDir: path.join(base.state, 'drover', own),
    runtimeDir: runtimeDir({ env, platform, dataDir, data: base.data }),
    cacheDir: path.join(base.cache, 'drover', own),
  });
}

/** Returns the directory of a person's files for all roots, and for commands outside of any. */
export function userConfigDir(env: Environment, platform: NodeJS.Platform): string {
  return path.join(baseDirectories(env, platform).config, 'drover');
}

function baseDirectories(
  env: Environment,
  platform: NodeJS.Platform,
): Record<'config' | 'data' | 'state' | 'cache', string> {
  const local = env.variables['LOCALAPPDATA'] ?? path.join(env.home, 'AppData', 'Local');
  const fallback = (unix: string): string => (platform === 'win32' ? local : path.join(env.home, unix));
  return {
    config: xdg(env, 'XDG_CONFIG_HOME') ?? fallback('.config'),
    data: xdg(env, 'XDG_DATA_HOME') ?? fallback('.local/share'),
    state: xdg(env, 'XDG_STATE_HOME') ?? fallback('.local/state'),
    cache: xdg(env, 'XDG_CACHE_HOME') ?? fallback('.cache'),
  };
}

/** The specification says that a relative path is to be ignored. */
function xdg(env: Environment, variable: string): string | undefined {
  const value = env.variables[variable];
  return value !== undefined && path.isAbsolute(value) ? value : undefined;
}

/**
 * Places sockets in `XDG_RUNTIME_DIR`, else with the data: where a person has put that, because a home directory may be missing, or no place to
 * write to. Never below `/tmp` where another place fits: another user could be the first to make the directory there.
 */
function runtimeDir({
  env,
  platform,
  dataDir,
  data,
}: {
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  readonly dataDir: string;
  readonly data: string;
}): string {
  const key = shortHash(dataDir);
  const given = xdg(env, 'XDG_RUNTIME_DIR');
  const own = env.dataDir === undefined ? path.join(data, RUNTIME_NAME, 'run', key) : path.join(dataDir, 'run');
  const wanted = [...(given === undefined ? [] : [path.join(given, RUNTIME_NAME, key)]), own];
  const fits = (place: string): boolean => platform === 'win32' || Buffer.byteLength(place) <= RUNTIME_DIR_BYTES_MAX;
  return wanted.find(fits) ?? path.join('/tmp', `${RUNTIME_NAME}-${env.uid}`, key);
}

/** Eight hexadecimal digits: 100 roots of one name collide with a probability of about one in a million. */
function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

// Makes the demo's place: one temporary directory with a home of its own, so that nothing of the user is touched.
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** The checkout that this demo belongs to. */
export const REPOSITORY = dirname(dirname(import.meta.dirname));

/** The command of this checkout. */
export const DROVER = join(REPOSITORY, 'bin', 'drover');

/** The directories and files of one demo. */
export interface Place {
  /** Holds everything else. */
  readonly base: string;
  /** The repository whose `main` is worked on. */
  readonly source: string;
  /** The Drover root that `drover init` makes. */
  readonly root: string;
  readonly dataDir: string;
  /** Log of the simulated agents: what happened to them, as JSON lines. */
  readonly witness: string;
  /** The environment of every program that the demo starts. */
  readonly env: Readonly<Record<string, string>>;
  /** Tells whether root's own directory for databases was there before. */
  readonly hadStaging: boolean;
}

/** Directory of Drover's database when root runs it: Postgres refuses to run as root, and its user may not enter root's data directory. */
const STAGING = '/var/lib/drover';

/** The longest temporary directory, in bytes: sockets lie below it, and a socket's path has at most 103 bytes on macOS. */
const TEMPORARY_BYTES_MAX = 28;

/** Variables that would lead Drover, git, tmux or Postgres out of the demo's directory. */
const NOT_INHERITED = /^(XDG_|DROVER_|GIT_|PG|SIM_AGENT_|npm_|TMUX|DATABASE_URL$|NODE_OPTIONS$|INIT_CWD$)/u;

/** Makes the directories. The base can be passed by all, because the user of the database must reach what lies in it. */
export async function makePlace(variables: NodeJS.ProcessEnv): Promise<Place> {
  const temporary = [tmpdir(), '/tmp'].find((path) => Buffer.byteLength(path) <= TEMPORARY_BYTES_MAX) ?? '/tmp';
  const base = await realpath(await mkdtemp(join(temporary, 'drover-demo-')));
  await chmod(base, 0o711);
  for (const name of ['home', 'tmp', 'greeter']) await mkdir(join(base, name));
  await mkdir(join(base, 'run'), { mode: 0o700 });
  const source = join(base, 'greeter');
  const dataDir = join(base, 'data');
  const inherited = Object.entries(variables).filter(([name]) => !NOT_INHERITED.test(name));
  const own = {
    HOME: join(base, 'home'),
    TMPDIR: join(base, 'tmp'),
    XDG_RUNTIME_DIR: join(base, 'run'),
    DROVER_DATA_DIR: dataDir,
    DROVER_ROOT: `${source}-drover`,
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const env = Object.fromEntries([...inherited, ...Object.entries(own)].map(([name, value]) => [name, value ?? '']));
  const place = { base, source, root: `${source}-drover`, dataDir, witness: join(base, 'agents.jsonl'), env };
  await writeFile(join(base, 'env'), exportsOf(own), { mode: 0o600 });
  return { ...place, hadStaging: await exists(STAGING) };
}

/** The directory outside the base that this demo's database was put into, if it was. */
export async function stagedDirectory({ base, dataDir }: Place): Promise<string | null> {
  const home = await readFile(join(dataDir, 'postgres', 'staged-at'), 'utf8').catch(() => '');
  if (home !== '') return dirname(home.trim());
  // A start that was interrupted has written down nowhere but in its log where the database was to be.
  const log = await readFile(join(base, 'up.log'), 'utf8').catch(() => '');
  return /"staged":"([^"]+)"/u.exec(log)?.[1] ?? null;
}

/** Removes everything. Call it when no process of the demo runs any more. @returns what could not be removed. */
export async function removePlace(place: Place): Promise<readonly string[]> {
  const staged = await stagedDirectory(place);
  const directories = [place.base, ...(staged === null ? [] : [staged])];
  for (const directory of directories) await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  if (!place.hadStaging) await removeStaging();
  const still = await Promise.all(directories.map(async (path) => ((await exists(path)) ? path : '')));
  return still.filter((path) => path !== '');
}

/** The demo made root's directory for databases: it removes it, unless another program has begun to use it. */
async function removeStaging(): Promise<void> {
  try {
    await rmdir(join(STAGING, 'clusters'));
  } catch {
    return; // there is none, or another Drover's database is in it
  }
  await rm(STAGING, { recursive: true, force: true });
}

/** Lines for a shell to read, for people who look around after `--keep`. */
function exportsOf(variables: Readonly<Record<string, string>>): string {
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`);
  return `${lines.join('\n')}\nexport PATH='${dirname(DROVER)}'"${delimiter}$PATH"\n`;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

// Makes the demo's place: one temporary directory with a home of its own, so that nothing of the user is touched.
import { chmod, mkdir, mkdtemp, realpath, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { listStagedClusters, removeStagedBelow } from '@drover/embedded-postgres';
import { processesIn, type Found } from '../fleet/left-overs.ts';
import { endTmux, environmentOf } from '../fleet/place.ts';
import { DROVER } from '../fleet/program.ts';
import { until } from '../fleet/wait.ts';

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
}

/** Directory of Drover's databases when root runs it: Postgres refuses to run as root, and its user may not enter root's data directory. */
const STAGING = '/var/lib/drover';

/** The longest temporary directory, in bytes: sockets lie below it, and a socket's path has at most 103 bytes on macOS. */
const TEMPORARY_BYTES_MAX = 28;

/** Makes the directories. The base can be passed by all, because the user of the database must reach what lies in it. */
export async function makePlace(): Promise<Place> {
  const temporary = [tmpdir(), '/tmp'].find((path) => Buffer.byteLength(path) <= TEMPORARY_BYTES_MAX) ?? '/tmp';
  const base = await realpath(await mkdtemp(join(temporary, 'drover-demo-')));
  await chmod(base, 0o711);
  for (const name of ['home', 'tmp', 'greeter']) await mkdir(join(base, name));
  await mkdir(join(base, 'run'), { mode: 0o700 });
  const source = join(base, 'greeter');
  const root = `${source}-drover`;
  const own = { TMPDIR: join(base, 'tmp'), DROVER_ROOT: root, GIT_CONFIG_NOSYSTEM: '1' };
  const env = { ...environmentOf(base), ...own };
  await writeFile(join(base, 'env'), exportsOf(env), { mode: 0o600 });
  return { base, source, root, dataDir: join(base, 'data'), witness: join(base, 'agents.jsonl'), env };
}

/** Lines for a shell to read, for people who look around after `--keep`. */
function exportsOf({ PATH: _path, ...variables }: Place['env']): string {
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`);
  return `${lines.join('\n')}\nexport PATH='${dirname(DROVER)}'"${delimiter}$PATH"\n`;
}

/** Directories in which processes of the demo work. */
export async function directoriesOf({ base }: Place): Promise<readonly string[]> {
  const staged = (await listStagedClusters()).filter(({ dataDir }) => dataDir?.startsWith(`${base}/`) === true);
  return [base, ...staged.map(({ directory }) => directory)];
}

/** Checks that nothing runs any more: no session, no agent, no database. @throws with what does. */
export async function checkNothingRuns(directories: readonly string[]): Promise<void> {
  let left: readonly Found[] = [];
  const ask = async (): Promise<boolean> => {
    left = await processesIn(directories);
    return left.length === 0;
  };
  const names = (): string => left.map(({ pid, command }) => `\n${pid} ${command}`).join('');
  await until(() => `the end of:${names()}`, ask, 5_000);
}

/** Removes everything that no process uses any more. */
export async function removePlace({ base }: Place): Promise<void> {
  await removeStagedBelow(base);
  // Only an empty one goes.
  await rmdir(join(STAGING, 'clusters'))
    .then(() => rmdir(STAGING))
    .catch(() => {});
  await rm(base, { recursive: true, force: true, maxRetries: 5 });
}

/** Ends and removes whatever is still there: after a failure, and when a person ended the demo. */
export async function sweep(place: Place): Promise<void> {
  const directories = await directoriesOf(place);
  await endTmux(place.base).catch(() => {});
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const { pid } of await processesIn(directories)) {
      try {
        process.kill(pid, signal);
      } catch {
        // the process has ended
      }
    }
    await checkNothingRuns(directories).catch(() => {});
  }
  await removePlace(place);
}

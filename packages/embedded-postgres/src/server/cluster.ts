// Makes a new cluster so that a kill or a power cut leaves a whole one or none.
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Account, giveTo } from '../account.ts';
import type { Binaries } from '../binaries/binaries.ts';
import { serverError } from '../errors.ts';
import { HOME_NAME, type Place } from '../place.ts';
import { runProgram } from '../run-program.ts';
import { SUPERUSER } from '../superuser.ts';
import { syncPath } from '../sync-path.ts';

/** The database that initdb makes; Drover's tables live in it. */
export const DATABASE_NAME = 'postgres';

/** `full`: a committed row outlives a power cut. `none`: only the death of processes; for clusters that are thrown away. */
export type Durability = 'full' | 'none';

const INITDB_TIMEOUT_MS = 120_000; // took 0.6 to 1.2 s; a slow disk may need far more

/** The major version that wrote the cluster, such as 18. */
export async function clusterMajor(home: string): Promise<number> {
  return Number.parseInt(await readFile(join(home, 'pgdata', 'PG_VERSION'), 'utf8'), 10);
}

/**
 * Makes the cluster under a name of its own and renames it into place. The name is never used twice: the initdb of a
 * killed Drover may still be at work on the old one.
 *
 * @throws {EmbeddedPostgresError} `disk-full`, `data-directory-unusable` or `start-failed` with initdb's words.
 */
export async function createCluster(place: Place, binaries: Binaries, durability: Durability): Promise<void> {
  const parent = dirname(place.home);
  await removeUnfinished(parent);
  const unfinished = await mkdtemp(join(parent, UNFINISHED));
  try {
    await giveTo(place.account, unfinished);
    await initialise(unfinished, { account: place.account, binaries, durability });
    await rename(unfinished, place.home);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
  await syncPath(parent);
}

const UNFINISHED = `${HOME_NAME}.new-`;

async function initialise(
  home: string,
  { account, binaries, durability }: { account: Account; binaries: Binaries; durability: Durability },
): Promise<void> {
  const password = join(home, 'password');
  await writePassword(password, account);
  const whose = ['--pgdata', join(home, 'pgdata'), '--username', SUPERUSER, '--pwfile', password];
  const how = ['--auth', 'scram-sha-256', '--encoding', 'UTF8', ...localeArguments(binaries.major)];
  const args = [...whose, ...how, ...(durability === 'none' ? ['--no-sync'] : [])];
  const made = await runProgram(join(binaries.binDir, 'initdb'), args, { account, timeoutMs: INITDB_TIMEOUT_MS });
  if (made.kind === 'not-run') throw serverError('create the database', home, made.reason);
  if (made.status !== 0) throw serverError('create the database', home, made.output);
  await syncPath(home);
}

/** Makes a password of letters, digits, `-` and `_` in a file that only the server's user can read. */
export async function writePassword(path: string, account: Account): Promise<void> {
  await writeFile(path, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flush: true });
  await giveTo(account, path);
}

/**
 * Text is compared by code point on every machine and in every version: indexes outlive updates of the system's locales.
 * The builtin C.UTF-8 also knows upper and lower case; servers before 17 have no builtin provider.
 */
function localeArguments(major: number): readonly string[] {
  if (major < 17) return ['--locale', 'C'];
  return ['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'];
}

async function removeUnfinished(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(UNFINISHED)) continue;
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

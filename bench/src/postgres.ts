// A Postgres of a benchmark's own, in a directory of its own. Both go when it is disposed, also when the benchmark fails.
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeStagedBelow, startEmbeddedPostgres, type EmbeddedPostgres } from '@drover/embedded-postgres';

/** Running server, and where other files of the benchmark may lie. */
export interface BenchPostgres extends AsyncDisposable {
  readonly directory: string;
  readonly server: EmbeddedPostgres;
}

/**
 * Starts it with the durability of production. As root the server runs as another user: where that user cannot enter the directory, the
 * cluster lies in the system's directory, and goes from there.
 */
export async function openBenchPostgres(settings: Readonly<Record<string, string>> = {}): Promise<BenchPostgres> {
  await using stack = new AsyncDisposableStack();
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'drover-bench-')));
  stack.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  await chmod(directory, 0o711);
  stack.defer(() => removeStagedBelow(directory));
  const server = stack.use(
    await startEmbeddedPostgres({
      dataDir: path.join(directory, 'postgres'),
      log: () => {},
      durability: 'full',
      searchPath: process.env['PATH'],
      settings,
    }),
  );
  const kept = stack.move();
  return { directory, server, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** Setting for measuring from outside: when each row was committed. */
export const COMMIT_TIMES = { track_commit_timestamp: 'on' } as const;

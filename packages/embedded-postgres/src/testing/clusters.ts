// Shares helpers among the tests of the launcher.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { systemClock, waitFor } from '@drover/base';
import { Client } from 'pg';
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../start.ts';
import { placeOfTests } from './place.ts';

/** True if the tests run as root: then the server runs as another user. */
export const AS_ROOT = process.getuid?.() === 0;

/** True if we may mount, in a name space of our own that other processes do not see. True for root outside of most containers. */
export const MAY_MOUNT = mayMount();

function mayMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs none /mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A wrapper command for which a directory is read-only, even as root. */
export function readOnly(directory: string): readonly string[] {
  const script = `mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"`;
  return ['unshare', '-m', 'sh', '-c', script, directory];
}

/** A directory that goes with the test. As root it lets others pass, as `/srv` would. */
export async function temporaryDirectory(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(placeOfTests(), 'drover-store-'));
  await chmod(path, AS_ROOT ? 0o711 : 0o700);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Collects what was logged. */
export function logLines(): { lines: string[]; log: EmbeddedPostgresOptions['log'] } {
  const lines: string[] = [];
  return { lines, log: (_level, message) => lines.push(message) };
}

/** Starts the launcher as a test wants it: quiet, and without syncing, since processes are killed here and not the power. */
export function start(dataDir: string, options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, log: () => {}, durability: 'none', ...options });
}

/** Runs one statement on a connection of its own. */
export async function query(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Waits for a condition, at most three minutes, which a loaded machine may need, and fails with its name. */
export async function eventually<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const answer = await waitFor(systemClock, ask, { withinMs: 180_000, everyMs: 20 });
  if (answer === undefined) throw new Error(`Waited 180 s for: ${what}`);
  return answer;
}

/** A process of its own that runs the launcher, to be killed by the test. */
export type ChildDrover = AsyncDisposable & {
  readonly process: ChildProcess;
  /** Reads its next line: `{"kind":"started", …}` or `{"kind":"failed", …}`. */
  next(): Promise<ChildLine>;
  /** SIGKILL, and the wait for its end. */
  kill(): Promise<void>;
};

export type ChildLine = {
  kind: string;
  connectionString: string;
  binDir: string;
  pid: number;
  code: string;
  message: string;
};

/** @param wrapper A command that runs the rest of its arguments, such as `unshare`. */
export function childDrover(
  dataDir: string,
  { wrapper = [], env = {} }: { wrapper?: readonly string[]; env?: Record<string, string> } = {},
): ChildDrover {
  const script = fileURLToPath(new URL('child-drover.ts', import.meta.url));
  const [file = '', ...args] = [...wrapper, process.execPath, script, dataDir];
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const exited = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return {
    process: child,
    next: async () => {
      const line = await lines.next();
      if (line.done === true) throw new Error('The child ended without a word');
      return JSON.parse(line.value);
    },
    kill,
    [Symbol.asyncDispose]: kill,
  };
}

/** A Postgres server of one's own that can be restarted, in order or by a kill, and keeps its address. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@drover/embedded-postgres';
import type { EmbeddedPostgres } from '@drover/embedded-postgres';
import { until } from '../../../../../tools/fleet/wait.ts';

/** Milliseconds until a killed server must run again; it took less than 200. */
const AGAIN_MS = 60_000;

export class RestartableServer implements AsyncDisposable {
  readonly #directory: string;
  #server: EmbeddedPostgres;

  private constructor(directory: string, server: EmbeddedPostgres) {
    this.#directory = directory;
    this.#server = server;
  }

  static async start(): Promise<RestartableServer> {
    const directory = mkdtempSync(join(tmpdir(), 'dpg-'));
    // The server's user must come through; if the tests run as root, the server has another user.
    chmodSync(directory, 0o711);
    return new RestartableServer(directory, await serverIn(directory));
  }

  get url(): string {
    return this.#server.connectionString;
  }

  /** Stops the server in order and starts it again: every connection is told that the server stops. */
  async restart(): Promise<void> {
    await this.#server.stop();
    this.#server = await serverIn(this.#directory);
  }

  /** Kills the server: connections end without a message. The test starts it again. */
  async crash(): Promise<void> {
    const before = this.#server.pid;
    process.kill(before, 'SIGKILL');
    const ask = (): true | undefined => (this.#server.pid === before ? undefined : true);
    await until(() => 'Postgres to run again', ask, AGAIN_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop();
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** Starts a server that flushes commits, like a server for production: a killed server loses nothing that it confirmed. */
function serverIn(directory: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir: join(directory, 'pg'), log: () => {}, durability: 'full' });
}

// Finds the server that takes writes among several. A connection string may name a primary and its standbys, as libpq
// has it.
import { Client } from 'pg';
import type { ClientConfig } from 'pg';

/** The servers that a connection string names, of which one takes writes. */
export class Servers {
  readonly #urls: readonly string[];
  #at = 0;

  /** @param connectionString One server, or several: `postgres://user@first:5432,second:5432/name`. */
  constructor(connectionString: string) {
    this.#urls = serversOf(connectionString);
  }

  /** The one that took writes last, as far as is known. */
  get current(): string {
    return this.#urls[this.#at] ?? '';
  }

  get count(): number {
    return this.#urls.length;
  }

  /** The next one is tried, unless another connection has found that out already. */
  refused(url: string): void {
    if (url === this.current) this.#at = (this.#at + 1) % this.#urls.length;
  }
}

/** @returns a connection string for each server that one names; the same one where it names a single server. */
export function serversOf(connectionString: string): readonly string[] {
  const [, before = '', hosts = '', after = ''] =
    /^([^:]+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/su.exec(connectionString) ?? [];
  if (!hosts.includes(',')) return [connectionString];
  return hosts.split(',').map((host) => `${before}${host}${withoutTarget(after)}`);
}

/** Drops `target_session_attrs`: Drover always wants the server that takes writes, and `pg` does not know the option. */
function withoutTarget(rest: string): string {
  return rest.replace(/([?&])target_session_attrs=[^&]*(&|$)/u, (_all, start: string, end: string) =>
    end === '&' ? start : '',
  );
}

/** The server answers and takes no writes: it is a standby, or not yet promoted. */
export class ReadOnlyServerError extends Error {
  override readonly name = 'ReadOnlyServerError';
  /** Code of a server that starts up: another try may find another server. */
  readonly code = '57P03';
}

/** Opens a client for one piece of work: each server is tried once. @throws what the last one says. */
export async function openClient(
  connectionString: string,
  config: ClientConfig,
  onError: (error: Error) => void,
): Promise<Client> {
  const servers = new Servers(connectionString);
  for (let left = servers.count - 1; ; left -= 1) {
    const client = new (clientOf(servers))({ ...config, connectionString: servers.current });
    client.on('error', onError);
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (left <= 0) throw error;
    }
  }
}

type Connected = ((error: Error) => void) | ((error: null, client: Client) => void);

/** @returns the class of clients that connect to the server which takes writes, each to the one that is tried next. */
export function clientOf(servers: Servers): new (config?: string | ClientConfig) => Client {
  if (servers.count === 1) return Client;
  return class extends Client {
    readonly #url = servers.current;

    constructor(config?: string | ClientConfig) {
      super({ ...(typeof config === 'object' && config), connectionString: servers.current });
      // Listens for errors of a pool from now on. The pool itself listens only once `connect` is done, which here goes
      // on after the connection is there: an error without a listener would end the process. A failure in between fails
      // the question below, or the first statement.
      this.on('error', () => {});
    }

    override connect(): Promise<Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<Client> | void {
      const opened = this.#open();
      if (callback === undefined) return opened;
      void callBack(opened, callback as (error: Error | null, client?: Client) => void);
      return undefined;
    }

    async #open(): Promise<Client> {
      try {
        await super.connect();
        const { rows } = await this.query<{ transaction_read_only: string }>('show transaction_read_only');
        if (rows[0]?.transaction_read_only !== 'on') return this;
        await this.end();
        throw new ReadOnlyServerError('The server takes no writes: it is a standby that was not promoted');
      } catch (error) {
        servers.refused(this.#url);
        throw error;
      }
    }
  };
}

async function callBack(opened: Promise<Client>, done: (error: Error | null, client?: Client) => void): Promise<void> {
  let client: Client;
  try {
    client = await opened;
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
    return;
  }
  done(null, client);
}

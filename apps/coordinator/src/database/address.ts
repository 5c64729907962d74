/** Where is the database, with a pooler of connections before it or without? */

/** Where the state is kept. */
export type DatabaseChoice =
  /** A server of one's own. With `directUrl`, `url` leads to a pooler of connections, and `directUrl` past it. */
  | { readonly kind: 'url'; readonly url: string; readonly directUrl?: string }
  /** Drover's own Postgres in this directory. */
  | { readonly kind: 'embedded'; readonly dataDir: string };

/** Where the database is. */
export interface DatabaseAddress {
  readonly databaseUrl: string;
  /** Of the same server, past any pooler of connections: for what needs a session. */
  readonly directUrl: string;
  /** Between this process and the server is a pooler, which refuses settings of a session. */
  readonly isPooled: boolean;
}

/** @param database With `directUrl` its `url` is that of a pooler. */
export function addressOf({ url, directUrl }: { readonly url: string; readonly directUrl?: string }): DatabaseAddress {
  return { databaseUrl: url, directUrl: directUrl ?? url, isPooled: directUrl !== undefined };
}

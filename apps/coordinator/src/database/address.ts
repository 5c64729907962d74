/** Resolves the address of the database, with or without a pooler of connections before it. */

/** Place of the state. */
export type DatabaseChoice =
  /** The user's own server. With `directUrl`, `url` leads to a pooler of connections, and `directUrl` past it. */
  | { readonly kind: 'url'; readonly url: string; readonly directUrl?: string }
  /** Drover's own Postgres in this directory. */
  | { readonly kind: 'embedded'; readonly dataDir: string };

/** Addresses of the database. */
export interface DatabaseAddress {
  readonly databaseUrl: string;
  /** Address of the same server past any pooler of connections: for work that needs a session. */
  readonly directUrl: string;
  /** Tells whether a pooler stands between this process and the server: a pooler refuses settings of a session. */
  readonly isPooled: boolean;
}

/** @param database With `directUrl`, `url` leads to a pooler. */
export function addressOf({ url, directUrl }: { readonly url: string; readonly directUrl?: string }): DatabaseAddress {
  return { databaseUrl: url, directUrl: directUrl ?? url, isPooled: directUrl !== undefined };
}

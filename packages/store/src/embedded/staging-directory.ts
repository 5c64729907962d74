// Where are programs and clusters kept that the server's user cannot reach in the data directory?

/** Where root keeps what the server's user must reach, when the data directory or the programs are out of its reach. */
export const DEFAULT_STAGING_DIRECTORY = '/var/lib/drover';

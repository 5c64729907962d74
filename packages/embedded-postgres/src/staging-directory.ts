// Names the directory of programs and clusters that the server's user cannot reach in the data directory.

/** Directory in which root keeps what the server's user must reach, when the data directory or the programs are out of reach. */
export const DEFAULT_STAGING_DIRECTORY = '/var/lib/drover';

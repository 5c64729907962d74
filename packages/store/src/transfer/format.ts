// Defines the format of a `drover server export` file for programs; docs/reference/export-format.md describes it in words.
import { z } from 'zod';

/** Name in the first line, by which another file is recognized at once. */
export const FORMAT = 'drover-export';

/** The name in the first line of a file for others: no import takes it. */
export const REDACTED_FORMAT = 'drover-export-redacted';

/**
 * Tables whose rows are rights, not work. The key of the fleet is one: who wrote a file knows it, and could pass for the
 * coordinator.
 */
export const RIGHTS: ReadonlySet<string> = new Set([
  'api_tokens',
  'join_tokens',
  'fleet_identity',
  'identities',
  'link_codes',
]);

/** Version, raised when a reader of the last version could not read the new one. */
export const FORMAT_VERSION = 1;

/** Migration as the database has seen it. */
const migration = z.object({ number: z.number().int(), name: z.string(), sha256: z.string() });
/** A checked `migration`. */
export type MigrationSeen = z.infer<typeof migration>;

/** The first line. */
export const headerLine = z.object({
  format: z.literal(FORMAT),
  version: z.number().int(),
  migrations: z.array(migration),
});

/** The first line of a file for others. */
export const isRedacted = z.object({ format: z.literal(REDACTED_FORMAT) });

/** Begins the rows of one table; each row is an array of as many texts, or nulls. */
export const tableLine = z.object({ table: z.string(), columns: z.array(z.string()) });

/** The last value of every sequence, as text, because it may be larger than a number can be. */
export const sequencesLine = z.object({ sequences: z.record(z.string(), z.tuple([z.string(), z.boolean()])) });

/** The last line: the number of rows, and the SHA-256 of every byte before this line. */
export const endLine = z.object({ end: z.object({ rows: z.number().int(), sha256: z.string() }) });

/** Reasons why a transfer is refused, and whether a retry can help. */
export const TRANSFER_ERRORS = {
  'bad-file': { retry: false }, // not an export, or damaged
  'other-schema': { retry: false }, // the file and the database have seen other migrations
  'too-large': { retry: false }, // more than any database of Drover holds
  'no-room': { retry: false }, // the disk of the database is full, or nearly
  'not-empty': { retry: false }, // there are rows, and no option says that they may be replaced
  'in-use': { retry: false }, // a coordinator works on the database
  'not-drovers': { retry: false }, // the database holds no tables of Drover
} as const satisfies Record<string, { retry: boolean }>;

/** A database cannot be exported, or a file not imported. The message says why and what to do. */
export class TransferError extends Error {
  override readonly name = 'TransferError';
  readonly code: keyof typeof TRANSFER_ERRORS;

  constructor(code: keyof typeof TRANSFER_ERRORS, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A place in a file; both count from 1, columns in characters. */
export type FilePlace = { readonly line: number; readonly column: number };

/** Names the error in a file, and its place. */
export function badFile({ line, column }: FilePlace, what: string, options?: ErrorOptions): TransferError {
  return new TransferError('bad-file', `line ${line}, column ${column}: ${what}`, options);
}

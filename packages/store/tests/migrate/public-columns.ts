// The columns of what the public API keeps: as columns.ts has those of the others.

/** Columns by table, with their types. */
export const PUBLIC_COLUMNS = {
  kept_answers: {
    caller: 'uuid',
    key: 'text',
    id: 'uuid',
    request_sha256: 'text',
    status: 'int4?',
    body: 'jsonb?',
    at: 'timestamptz',
  },
} as const;

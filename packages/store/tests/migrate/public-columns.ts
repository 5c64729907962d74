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
  announcements: {
    id: 'int8',
    at: 'timestamptz',
    type: 'text',
    project_id: 'uuid?',
    worker_id: 'uuid?',
    actor: 'jsonb?',
    subject: 'jsonb',
    version: 'int8',
  },
  announcement_floor: { only_one: 'bool', id: 'int8' },
} as const;

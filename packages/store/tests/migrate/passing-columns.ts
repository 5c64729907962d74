/** The columns of what is on its way and may be lost: parcels and terminals. */
export const PASSING_COLUMNS = {
  parcels: { machine_id: 'uuid', sha256: 'text', size_bytes: 'int8', opened_at: 'timestamptz' },
  parcel_readers: { machine_id: 'uuid', sha256: 'text', reader_id: 'uuid' },
  parcel_chunks: { machine_id: 'uuid', sha256: 'text', number: 'int4', content: 'bytea' },
  terminals: {
    id: 'uuid',
    secret_sha256: 'text?',
    token_id: 'uuid',
    worker_id: 'uuid',
    machine_id: 'uuid',
    types: 'bool',
    expires_at: 'timestamptz',
    replica: 'text?',
  },
} as const;

// The columns of people, places and deliveries: a part of columns.ts.

/** By table. A question mark: it may be null. */
export const CHANNEL_COLUMNS = {
  people: { id: 'uuid', name: 'text', role: 'text', project_id: 'uuid?', created_at: 'timestamptz' },
  identities: { channel: 'text', subject: 'text', person_id: 'uuid', linked_at: 'timestamptz' },
  link_codes: { sha256: 'text', person_id: 'uuid', expires_at: 'timestamptz' },
  places: {
    channel: 'text',
    address: 'text',
    person_id: 'uuid?',
    project_id: 'uuid?',
    created_at: 'timestamptz',
  },
  deliveries: {
    escalation_id: 'uuid',
    channel: 'text',
    address: 'text',
    shown: 'int4',
    ref: 'text?',
    pings_wanted: 'int4',
    pings_given: 'int4',
    holder: 'text?',
    held_until: 'timestamptz?',
    not_before: 'timestamptz?',
    failures: 'int4',
    error: 'text?',
    is_final: 'bool',
    created_at: 'timestamptz',
    shown_at: 'timestamptz?',
  },
  silences: {
    id: 'uuid',
    project_id: 'uuid?',
    worker_name: 'text?',
    machine_name: 'text?',
    code: 'text?',
    reason: 'text',
    until: 'timestamptz',
    actor: 'jsonb',
    created_at: 'timestamptz',
  },
  channel_leases: { channel: 'text', holder: 'text', held_until: 'timestamptz' },
};

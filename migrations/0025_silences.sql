-- Spans in which nobody is called about some questions, such as those of a machine that is repaired.

create table silences (
  id uuid primary key,
  -- Null: of any.
  project_id uuid references projects (id) on delete cascade,
  worker_name text,
  machine_name text,
  code text,
  reason text not null,
  until timestamptz not null,
  actor jsonb not null,
  created_at timestamptz not null
);
create index silences_until on silences (until);

-- What went wrong, what was done about it, whom it was handed to, and what was kept of the work meanwhile.
-- Workers may be removed; what happened to them stays until it is pruned, so nothing here refers to their rows.

-- One trouble of one worker, from its first error to its end.
create table incidents (
  id uuid primary key,
  worker_id uuid not null,
  worker_name text not null,
  task_id uuid,
  code text not null,
  level integer not null check (level between 1 and 4),
  attempts integer not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  outcome text check (outcome in ('recovered', 'escalated', 'resolved', 'cancelled')),
  -- Alternatives that were used up, in their order.
  tried jsonb not null,
  check ((closed_at is null) = (outcome is null))
);
create index incidents_worker on incidents (worker_id, opened_at desc);
create index incidents_opened on incidents (opened_at);

-- The error log: one row for each occurrence, with what the taxonomy said of its code at that time.
create table errors (
  id uuid primary key,
  incident_id uuid,
  code text not null,
  category text not null,
  severity text not null,
  message text not null,
  details text,
  component text not null,
  machine_id uuid,
  machine text,
  worker_id uuid,
  worker_name text,
  role text,
  task_id text,
  run_id text,
  at timestamptz not null,
  duration_ms bigint,
  -- From when the machine saw it until it was decided on.
  detect_ms bigint,
  recoverable boolean not null,
  retryable boolean not null,
  retry_count integer not null,
  strategy text,
  stack text,
  context jsonb not null,
  -- The error that led to this one.
  cause_id uuid,
  recovered boolean not null default false,
  recovered_at timestamptz
);
create index errors_worker on errors (worker_id, at desc);
create index errors_at on errors (at);
create index errors_code on errors (code, at desc);
create index errors_incident on errors (incident_id, at) where incident_id is not null;

-- How a worker's tasks went: one line for each attempt to recover, and for each beginning and end.
create table episodes (
  id bigint generated always as identity primary key,
  worker_id uuid not null,
  worker_name text not null,
  task_id uuid,
  incident_id uuid,
  at timestamptz not null,
  kind text not null,
  code text,
  level integer,
  attempt integer,
  action text not null,
  strategy text,
  detail jsonb not null
);
create index episodes_worker on episodes (worker_id, id desc);
create index episodes_at on episodes (at);

-- What a person is asked. One open escalation for each dedupe key: a repeat raises its occurrences.
create table escalations (
  id uuid primary key,
  dedupe_key text not null,
  incident_id uuid,
  worker_id uuid not null,
  worker_name text not null,
  project_id uuid not null references projects (id),
  -- The life of the pane that the question is about.
  incarnation text,
  level integer not null,
  severity text not null,
  status text not null check (status in ('open', 'acked', 'resolved', 'expired', 'cancelled')),
  title text not null,
  body text not null,
  -- The diagnostic bundle.
  context jsonb not null,
  question jsonb not null,
  -- The answer that won.
  resolution jsonb,
  application text check (application in ('pending', 'applied', 'rejected_stale', 'failed')),
  -- Everybody whom the answer is for: more than one when a storm was folded.
  members jsonb not null,
  version integer not null,
  occurrences integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  acked_by text,
  resolved_at timestamptz
);
create unique index escalations_open on escalations (dedupe_key) where status in ('open', 'acked');
create index escalations_worker on escalations (worker_id, created_at desc);
create index escalations_created on escalations (created_at);

-- What is kept of a worker's work, to begin again from.
create table checkpoints (
  id uuid primary key,
  worker_id uuid not null,
  worker_name text not null,
  project_id uuid not null references projects (id),
  task_id uuid,
  incident_id uuid,
  type text not null check (
    type in ('session_start', 'stage_complete', 'periodic', 'before_retry', 'error_recovery', 'hiccup', 'manual')
  ),
  -- The commit on a hidden ref that holds the worktree; null when nothing had changed since `base`.
  commit text,
  base text,
  conversation text,
  prompt text,
  -- The policy's row as it was.
  state jsonb not null,
  machine_id uuid not null references machines (id),
  created_at timestamptz not null
);
create index checkpoints_worker on checkpoints (worker_id, created_at desc);

-- Work that recovery found and left for later. One open item for each dedupe key of a project.
create table queue_items (
  id uuid primary key,
  project_id uuid not null references projects (id),
  priority text not null check (priority in ('S0', 'S1', 'S2', 'S3')),
  title text not null,
  body text not null,
  class text not null,
  dedupe_key text not null,
  -- Who found it, and where.
  source jsonb not null,
  status text not null check (status in ('open', 'taken', 'done', 'dropped')),
  worker_id uuid,
  task_id uuid,
  failures integer not null,
  occurrences integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index queue_items_open on queue_items (project_id, dedupe_key) where status in ('open', 'taken');
create index queue_items_next on queue_items (project_id, priority, created_at) where status = 'open';

-- What several workers share: the limits of one account with a provider. `state` is core's `AccountState`.
create table accounts (
  key text primary key,
  state jsonb not null,
  updated_at timestamptz not null
);

-- An incident that was open when this came knows nothing of alternatives and of people yet.
update workers
set state = jsonb_set(
  state,
  '{incident}',
  jsonb_build_object(
    'tried', '[]'::jsonb,
    'lastAttemptAt', state -> 'incident' -> 'openedAt',
    'escalated', false,
    'options', '[]'::jsonb,
    'why', '',
    'action', ''
  ) || (state -> 'incident')
)
where jsonb_typeof(state -> 'incident') = 'object';

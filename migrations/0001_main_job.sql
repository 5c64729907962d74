-- The tables of the main job: who takes part, what they do, what happened, and what is due.

create table projects (
  id uuid primary key,
  name text not null unique,
  source text not null,
  root text not null,
  default_branch text not null,
  config jsonb not null,
  -- The one worker whose work is being merged into the default branch.
  merge_worker_id uuid,
  last_reviewed_id uuid,
  created_at timestamptz not null
);

create table machines (
  id uuid primary key,
  name text not null unique,
  public_key text not null unique,
  facts jsonb,
  -- Raised by every hello: orders and connections of an older one are refused.
  session_epoch bigint not null default 0,
  access_token_sha256 text unique,
  access_token_expires_at timestamptz,
  nonce text,
  nonce_expires_at timestamptz,
  -- The machine's own observation buffer, and how far it is stored.
  agent_epoch uuid,
  stored_through bigint not null default 0,
  version text,
  last_seen_at timestamptz,
  created_at timestamptz not null
);

create table workers (
  id uuid primary key,
  project_id uuid not null references projects (id),
  machine_id uuid not null references machines (id),
  name text not null,
  options jsonb not null,
  -- The policy's row: see packages/core/src/worker/worker.ts.
  state jsonb not null,
  status text not null,
  version bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (project_id, name)
);
create index workers_machine on workers (machine_id);

create table tasks (
  id uuid primary key,
  project_id uuid not null references projects (id),
  worker_id uuid,
  worker_name text not null,
  prompt text not null,
  status text not null,
  created_at timestamptz not null,
  ended_at timestamptz
);

-- Every observation is stored once, by the buffer it came from and its number there.
create table observations (
  machine_id uuid not null references machines (id),
  agent_epoch uuid not null,
  seq bigint not null,
  worker_id uuid,
  kind text not null,
  body jsonb not null,
  seen_at timestamptz not null,
  stored_at timestamptz not null,
  primary key (machine_id, agent_epoch, seq)
);
create index observations_age on observations (stored_at);

-- What the policy heard and answered, one row for each event that changed or refused something.
create table events (
  id bigint generated always as identity primary key,
  worker_id uuid not null,
  worker_name text not null,
  at timestamptz not null,
  -- An order by a person, by the id its client gave it: asked twice is done once.
  order_id uuid,
  kind text not null,
  event jsonb not null,
  rules jsonb not null,
  records jsonb not null,
  reply jsonb not null,
  status_before text not null,
  status_after text not null
);
create unique index events_order on events (worker_id, order_id) where order_id is not null;
create index events_worker on events (worker_id, id desc);
create index events_age on events (at);

-- The outbox: orders and queries for machines, at least once.
create table commands (
  id uuid primary key,
  machine_id uuid not null references machines (id),
  worker_id uuid not null,
  -- The worker's own count of orders; null for a query.
  seq bigint,
  body jsonb not null,
  seat jsonb not null,
  state text not null check (state in ('pending', 'sent', 'received', 'done', 'dropped')),
  sent_epoch bigint,
  timeout_ms bigint not null,
  result jsonb,
  created_at timestamptz not null,
  finished_at timestamptz,
  unique (worker_id, seq)
);
create index commands_open on commands (machine_id, id) where state in ('pending', 'sent', 'received');
create index commands_age on commands (created_at);

-- Whatever must happen at a time: one row for each thing, written with the state that it belongs to.
create table due_work (
  kind text not null,
  key text not null,
  due_at timestamptz not null,
  payload jsonb not null,
  attempts integer not null default 0,
  lease_until timestamptz,
  primary key (kind, key)
);
create index due_work_due on due_work (due_at);

create table receipts (
  id bigint generated always as identity primary key,
  worker_id uuid not null,
  outgoing_id text not null,
  purpose text not null,
  outcome text not null,
  receipt jsonb not null,
  at timestamptz not null
);
create index receipts_worker on receipts (worker_id, id desc);

create table join_tokens (
  token_sha256 text primary key,
  expires_at timestamptz not null,
  used_at timestamptz
);

create table api_tokens (
  id uuid primary key,
  name text not null unique,
  token_sha256 text not null unique,
  role text not null check (role in ('viewer', 'responder', 'operator', 'admin')),
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null
);

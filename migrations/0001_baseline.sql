-- The schema of the first release, by subject. Tables are described for the code in packages/store/src/tables.

-- Projects, machines and workers -----------------------------------------------------------------------------------------------------

create table projects (
  id uuid primary key,
  name text not null unique,
  source text not null,
  -- The Drover root whose drover.toml says what the project is; null: a document does that was applied.
  root text,
  default_branch text not null,
  config jsonb not null,
  -- The one worker whose work is being merged into the default branch.
  merge_worker_id uuid,
  -- The answer of a person to each kind of trust (`direnv`, `mise`), as {"KIND": true or false}. Absent: nobody was asked.
  trust jsonb not null default '{}',
  created_at timestamptz not null,
  -- A removed project keeps its row: tasks, questions and checkpoints of the past name it. A new project of its name brings it back.
  removed_at timestamptz
);

create table machines (
  id uuid primary key,
  name text not null unique,
  public_key text not null unique,
  facts jsonb,
  version text,
  -- Raised by every hello: commands and connections of a lower one are refused.
  session_epoch bigint not null default 0,
  access_token_sha256 text unique,
  access_token_expires_at timestamptz,
  -- The machine's own observation buffer, and how far it is stored.
  agent_epoch uuid,
  stored_through bigint not null default 0,
  -- The address of the coordinator that the machine dialled at its last hello.
  dialled_url text,
  -- The workspace that the machine named at its last hello, and the checkouts that its owner names.
  places jsonb,
  -- Programs, load, memory, disk and clock, as the machine last told; null: it has not.
  condition jsonb,
  -- Kinds of work that the machine is for, and how many workers it takes at most (null: any number).
  labels jsonb not null default '[]',
  capacity integer check (capacity >= 0),
  -- Why the machine gets no new work, and whether its workers are to leave it; null: it gets some.
  -- {since, by, drain: null | {id, since, deadline, doneAt, waits}}, times in epoch milliseconds.
  cordon jsonb,
  -- Where people reach the machine by ssh: user@host, host or host:port; null: nobody has said.
  address text,
  -- A gateway speaks for machines on which nothing of Drover's is installed. It has no panes.
  is_gateway boolean not null default false,
  -- How a gateway reaches the machine, the keys by which it is known, the gateway that serves it under a lease, and how it is.
  -- Null: an agent runs on the machine.
  ssh jsonb,
  last_seen_at timestamptz,
  created_at timestamptz not null,
  -- From then on the machine is refused, until it shows an invitation that was made later.
  revoked_at timestamptz,
  -- Somebody wants the machine to make a new key, since then; null once it has.
  rotate_since timestamptz
);

-- Where a project lies on each machine.
create table checkouts (
  machine_id uuid not null references machines (id) on delete cascade,
  project_id uuid not null references projects (id) on delete cascade,
  root text not null,
  state text not null check (state in ('ready', 'failed')),
  -- A code and a message while the last try failed.
  error jsonb,
  updated_at timestamptz not null,
  primary key (machine_id, project_id)
);
create index checkouts_project on checkouts (project_id);

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
create index workers_status on workers (status);

create table tasks (
  id uuid primary key,
  project_id uuid not null references projects (id),
  worker_id uuid,
  worker_name text not null,
  prompt text not null,
  status text not null,
  -- Who gave it. The form of all actors: {"kind": "person" | "worker" | "machine", "id", "name"} or {"kind": "policy"}.
  actor jsonb not null,
  created_at timestamptz not null,
  ended_at timestamptz
);
create index tasks_newest on tasks (created_at desc, id desc);
create index tasks_project on tasks (project_id, created_at desc, id desc);
create index tasks_worker_name on tasks (worker_name, created_at desc, id desc);
create index tasks_ended on tasks (ended_at) where ended_at is not null;

-- What agents used, by task and day. Workers may be removed; what they used stays until it is pruned.
create table usage (
  worker_id uuid not null,
  task_id uuid not null,
  -- When its machine began to count: a worker that moves is counted anew.
  since timestamptz not null,
  -- Begin of the day.
  day timestamptz not null,
  project_id uuid not null references projects (id),
  worker_name text not null,
  -- Null: the program does not tell.
  input bigint,
  cached bigint,
  output bigint,
  money double precision,
  worked_ms bigint not null,
  primary key (task_id, worker_id, since, day)
);
create index usage_project on usage (project_id, day);
create index usage_day on usage (day);
create index usage_worker on usage (worker_id, since);

-- Agent profiles that replace or add to those of the build, so that a changed coding agent needs no release.
create sequence profile_revision;

create table profiles (
  name text primary key,
  -- Raised by every change, so that a machine knows what it has.
  revision bigint not null default nextval('profile_revision'),
  -- Null: taken back; the build's own profile of that name holds again.
  document jsonb,
  -- {document, label}: a change that only machines with the label have so far; null: there is none.
  staged jsonb,
  -- {document}: what the fleet had before (null: the build's own); null: there is no way back.
  former jsonb,
  updated_at timestamptz not null
);

-- The limits that all workers of one account with a provider share. `state` is core's `AccountState`.
create table accounts (
  key text primary key,
  state jsonb not null,
  -- core's `Quota`: the rest of its limits, as a worker's program told it last. Null: none has told it.
  quota jsonb,
  updated_at timestamptz not null
);

-- Whole policies, by the digest of what they say. A decision names its own, so none is ever changed.
create table policies (
  version text primary key,
  document jsonb not null,
  created_at timestamptz not null
);

-- Observations, history and commands -------------------------------------------------------------------------------------------------

-- Every observation is stored once, by the buffer it came from and its number there. Rows of removed machines and workers stay until
-- they are pruned, so nothing here refers to them.
create table observations (
  machine_id uuid not null,
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
-- Finds the kinds that are kept for a day, without reading the fortnight of the others.
create index observations_thinned on observations (stored_at) where kind in ('screen', 'result', 'answer');

-- Reports of machines about what is not theirs: of each machine and reason a count, and a digest of the last one. The reports
-- themselves are not kept, so that no machine fills the database with what nothing follows from.
create table refused_reports (
  machine_id uuid not null references machines (id) on delete cascade,
  reason text not null,
  count bigint not null,
  bytes bigint not null,
  last_sha256 text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (machine_id, reason)
);

-- Followers of the history read what comes after an id. Ids are given before their transactions commit, which may be in any order. So
-- each transaction that takes an id holds until its end a lock whose key is the last id given before; below the lowest of those keys
-- everything has committed or never will. Announcements take their ids from the same sequence.
create sequence events_id_seq;

-- The lock comes before the id: whoever reads the sequence and then the locks knows of every id up to that value.
create function next_event_id() returns bigint language plpgsql as $$
declare
  before bigint;
begin
  select case when is_called then last_value else last_value - 1 end into before from events_id_seq;
  perform pg_advisory_xact_lock_shared(4924123242576216064 + before);
  return nextval('events_id_seq');
end $$;

-- `settled`: every row up to it is there to be read by the next statement. `last`: the last id that was given.
create function settled_events(out settled bigint, out last bigint) language plpgsql as $$
declare
  lowest bigint;
begin
  select case when is_called then last_value else last_value - 1 end into last from events_id_seq;
  select min((classid::bigint << 32 | objid::bigint) - 4924123242576216064) into lowest
  from pg_locks
  where locktype = 'advisory' and objsubid = 1 and classid::bigint between 1146486784 and 1146552319
    and database = (select oid from pg_database where datname = current_database());
  settled := least(last, lowest);
end $$;

-- One row for each event that changed or refused something, with what the policy answered.
create table events (
  id bigint primary key default next_event_id(),
  worker_id uuid not null,
  worker_name text not null,
  at timestamptz not null,
  -- The id that its client gave a request of a person: asked twice is done once.
  request_id uuid,
  -- Who caused it.
  actor jsonb not null,
  kind text not null,
  event jsonb not null,
  rules jsonb not null,
  records jsonb not null,
  reply jsonb not null,
  status_before text not null,
  status_after text not null,
  -- To decide again: the policy's version, what the decision was given beside worker, event and policy, and the digest of its outcome.
  policy text not null,
  facts jsonb,
  outcome text,
  -- The policy's row before the decision, now and then: from here history can be decided again.
  state_before jsonb,
  -- Kept to decide again alone, such as a screen that changed nothing but the last screen; nobody reads it as history.
  quiet boolean not null default false
);
alter sequence events_id_seq owned by events.id;
create unique index events_request on events (worker_id, request_id) where request_id is not null;
-- For requests that name no worker.
create index events_request_id on events (request_id) where request_id is not null;
create index events_worker on events (worker_id, id desc);
create index events_told on events (worker_id, id desc) where not quiet;
create index events_before on events (worker_id, id) where state_before is not null;
create index events_age on events (at);
create index events_replayable on events (at) where outcome is not null;

-- The outbox: commands and queries for machines, at least once.
create table commands (
  id uuid primary key,
  machine_id uuid not null references machines (id),
  worker_id uuid not null,
  -- The worker's own count of commands; null for a query.
  seq bigint,
  body jsonb not null,
  settings jsonb not null,
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
create index commands_finished on commands (finished_at) where finished_at is not null;

-- Whatever must happen at a time: one row for each thing, written with the state that it belongs to.
create table due_work (
  kind text not null,
  key text not null,
  -- The worker or the project that it is of; null: of none.
  worker_id uuid,
  project_id uuid,
  due_at timestamptz not null,
  payload jsonb not null,
  attempts integer not null default 0,
  lease_until timestamptz,
  -- Why it was not done the last time, for people.
  problem text,
  primary key (kind, key)
);
create index due_work_due on due_work (due_at);
create index due_work_worker on due_work (worker_id) where worker_id is not null;
create index due_work_attempts on due_work (attempts);
create index due_work_leased on due_work (lease_until) where lease_until is not null;

-- How each text reached its worker.
create table receipts (
  id bigint generated always as identity primary key,
  worker_id uuid not null,
  text_id text not null,
  purpose text not null,
  outcome text not null,
  receipt jsonb not null,
  at timestamptz not null
);
create index receipts_worker on receipts (worker_id, id desc);
create index receipts_age on receipts (at);

-- Recovery ---------------------------------------------------------------------------------------------------------------------------
-- Workers may be removed; their past stays until it is pruned, so nothing here refers to their rows.

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
create index incidents_worker_name on incidents (worker_name, opened_at desc);
create index incidents_opened on incidents (opened_at);
create index incidents_open on incidents (opened_at desc, id desc) where closed_at is null;
create index incidents_closed on incidents (closed_at) where closed_at is not null;

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
  -- What the worker's terminal and git said when the error came: { "pane": [lines], "git": [lines] }. Null: nobody could be asked.
  evidence jsonb,
  -- The error that led to this one.
  cause_id uuid,
  recovered boolean not null default false,
  recovered_at timestamptz,
  -- An error that belongs to no incident ends with its task, if the task came to nothing: when that was.
  called_off_at timestamptz
);
create index errors_worker on errors (worker_id, at desc);
create index errors_at on errors (at);
create index errors_code on errors (code, at desc);
create index errors_worker_name on errors (worker_name, at desc);
create index errors_incident on errors (incident_id, at) where incident_id is not null;
-- People name an error or a question by the start or the end of its id.
create index errors_id_start on errors ((id::text) collate "C");
create index errors_id_end on errors (reverse(id::text) collate "C");

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
create index episodes_worker_name on episodes (worker_name, id desc);
create index episodes_incident on episodes (incident_id, id desc) where incident_id is not null;
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
  -- How often it was asked: an answer names the asking that it saw.
  asked integer not null default 1,
  -- The answer that won.
  resolution jsonb,
  application text check (application in ('pending', 'applied', 'rejected_stale', 'failed')),
  -- Everybody whom the answer is for: more than one when a storm was folded.
  members jsonb not null,
  -- How far the calls about it are.
  oncall jsonb,
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
create index escalations_over on escalations (updated_at) where status in ('resolved', 'expired', 'cancelled');
-- Questions are asked for by the worker or the incident of any member.
create index escalations_members on escalations using gin (members jsonb_path_ops);
create index escalations_id_start on escalations ((id::text) collate "C");
create index escalations_id_end on escalations (reverse(id::text) collate "C");

-- Every answer and whatever else people say of a question, with the reply that it got: the same one again gets that reply.
create table escalation_responses (
  -- The client's id of the answer.
  request_id uuid primary key,
  escalation_id uuid not null references escalations (id) on delete cascade,
  kind text not null default 'answer',
  asked integer not null,
  option text,
  text text,
  -- Of a snooze.
  until timestamptz,
  actor jsonb not null,
  reply jsonb not null,
  at timestamptz not null
);
create index escalation_responses_escalation on escalation_responses (escalation_id);

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
  why text not null default '',
  -- Files with uncommitted changes; null where the machine did not say.
  files integer,
  -- The commit on a hidden ref that holds the worktree; null when nothing had changed since `base`.
  commit text,
  base text,
  conversation text,
  prompt text,
  -- The policy's row as it was.
  state jsonb not null,
  machine_id uuid not null,
  actor jsonb not null,
  created_at timestamptz not null
);
create index checkpoints_worker on checkpoints (worker_id, created_at desc);
create index checkpoints_worker_name on checkpoints (worker_name, created_at desc);
create index checkpoints_project on checkpoints (project_id, created_at desc);
create index checkpoints_age on checkpoints (created_at);

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
  actor jsonb not null,
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
create index queue_items_over on queue_items (updated_at) where status in ('done', 'dropped');

-- Runs -------------------------------------------------------------------------------------------------------------------------------

-- Flows as they were when a run began, by the digest of their text: none is ever changed.
create table flows (
  digest text primary key,
  name text not null,
  text text not null,
  created_at timestamptz not null
);

-- A goal on its way through the stages of a flow. `state` is core's `Run`: its stages, their items and its plan.
create table runs (
  -- The id of the request that started it: asked twice is done once.
  id uuid primary key,
  project_id uuid not null references projects (id),
  -- The machine whose depot has its commits. Without a reference: it may leave the fleet.
  machine_id uuid not null,
  flow text not null references flows (digest),
  flow_name text not null,
  goal text not null,
  status text not null,
  state jsonb not null,
  -- The number of its last event.
  seq bigint not null,
  actor jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz
);
create index runs_newest on runs (created_at desc, id desc);
create index runs_open on runs (created_at desc, id desc) where ended_at is null;
create index runs_project on runs (project_id, created_at desc, id desc);
create index runs_ended on runs (ended_at) where ended_at is not null;
create index runs_id_start on runs ((id::text) collate "C");
create index runs_id_end on runs (reverse(id::text) collate "C");

-- What happened to a run, with what the policy answered: the results of its agents are among them. A checkpoint of a run is a number here.
create table run_events (
  run_id uuid not null references runs (id) on delete cascade,
  seq bigint not null,
  -- The same event twice counts once.
  event_id text not null,
  at timestamptz not null,
  kind text not null,
  event jsonb not null,
  actor jsonb not null,
  rules jsonb not null,
  records jsonb not null,
  primary key (run_id, seq),
  unique (run_id, event_id)
);

-- Words between the agents of a run, in order. Each is delivered once, or its sender is told why not.
create table run_messages (
  id uuid primary key,
  run_id uuid not null references runs (id) on delete cascade,
  sender text not null,
  receiver text not null,
  text text not null,
  state text not null check (state in ('queued', 'delivered', 'refused', 'expired')),
  why text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index run_messages_run on run_messages (run_id, created_at, id);

-- Who may do what, and who did ------------------------------------------------------------------------------------------------------

-- The key pair of this fleet, made by the first replica that starts: the seed of an Ed25519 private key, base64url.
create table fleet_identity (
  only_one boolean primary key default true check (only_one),
  seed text not null,
  created_at timestamptz not null
);

-- Invitations of machines and gateways.
create table join_tokens (
  token_sha256 text primary key,
  for_gateway boolean not null default false,
  -- A token that was made before its machine was revoked lets it in no more.
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);

-- A token reaches one project, or all; that of a worker reaches this worker alone, and goes with it.
create table api_tokens (
  id uuid primary key,
  name text not null,
  token_sha256 text not null unique,
  role text not null check (role in ('worker', 'viewer', 'responder', 'operator', 'admin')),
  project_id uuid references projects (id) on delete cascade,
  worker_id uuid references workers (id) on delete cascade,
  -- Not null makes it a bot's token: it speaks for the identities of these channels alone, and its role is the most that they may do by it.
  channels jsonb,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  constraint api_tokens_worker check ((role = 'worker') = (worker_id is not null))
);
create unique index api_tokens_name on api_tokens (name) where worker_id is null;
create unique index api_tokens_worker_id on api_tokens (worker_id) where worker_id is not null;

-- One row for each change, in chains: one for each worker and one for the fleet. Each row's hash is over that of the row before it,
-- so that a row that is changed, removed, inserted or moved shows. `body` is text, for its bytes are hashed.
create table audit (
  chain text not null,
  seq bigint not null,
  at timestamptz not null,
  actor text not null,
  body text not null,
  -- SHA-256, as hexadecimal digits, of: the hash of the row before in the chain, its name, the number and the body, with a space between.
  hash text not null,
  primary key (chain, seq)
);
create index audit_age on audit (at);

-- The last row of each chain. It only grows.
create table audit_heads (
  chain text primary key,
  seq bigint not null,
  hash text not null
);

create function audit_keep() returns trigger language plpgsql as $$
begin
  -- An import takes over a whole database, its audit with it.
  if tg_op = 'TRUNCATE' and current_setting('drover.replaces', true) = 'everything' then return null; end if;
  if tg_op = 'UPDATE' and tg_table_name = 'audit_heads' then
    if new.chain = old.chain and new.seq = old.seq + 1 then return new; end if;
  end if;
  raise exception 'The audit of Drover is only ever added to: % of % is refused', tg_op, tg_table_name;
end $$;

create trigger audit_keep before update or delete on audit for each row execute function audit_keep();
create trigger audit_keep_all before truncate on audit for each statement execute function audit_keep();
create trigger audit_heads_keep before update or delete on audit_heads for each row execute function audit_keep();
create trigger audit_heads_keep_all before truncate on audit_heads for each statement execute function audit_keep();

-- The commit of a worker's work that was shown to each person, with its tree, and what it was compared with.
create table reviews (
  worker_id uuid not null references workers (id) on delete cascade,
  -- The id of the token.
  reviewer text not null,
  base text not null,
  head text not null,
  tree text not null,
  reviewed_at timestamptz not null,
  primary key (worker_id, reviewer)
);

-- People and chats -------------------------------------------------------------------------------------------------------------------

create table people (
  id uuid primary key,
  name text not null unique,
  role text not null check (role in ('viewer', 'responder', 'operator', 'admin')),
  -- The only project that the person reaches; null: all.
  project_id uuid references projects (id) on delete cascade,
  created_at timestamptz not null
);

-- The id by which a chat knows a person, never a name that they choose there.
create table identities (
  channel text not null,
  subject text not null,
  person_id uuid not null references people (id) on delete cascade,
  linked_at timestamptz not null,
  primary key (channel, subject)
);
create index identities_person on identities (person_id);

-- Codes of one use that link an identity to a person.
create table link_codes (
  sha256 text primary key,
  person_id uuid not null references people (id) on delete cascade,
  expires_at timestamptz not null
);

-- Where questions are shown: a person's own chat, or one of several people.
create table places (
  channel text not null,
  address text not null,
  -- The address before the chat got this one, as when a group of Telegram becomes a supergroup: steps of drover.toml may name it.
  former_address text,
  person_id uuid references people (id) on delete cascade,
  project_id uuid references projects (id) on delete cascade,
  created_at timestamptz not null,
  primary key (channel, address)
);

-- Tests whether people are reached at a place: a bot shows each once, and says what became of it.
create table place_tests (
  id uuid primary key,
  channel text not null,
  address text not null,
  tried_by text not null,
  created_at timestamptz not null,
  -- When a bot took it; null: none has.
  given_at timestamptz,
  outcome text check (outcome in ('shown', 'failed')),
  error text
);
create index place_tests_waiting on place_tests (channel) where given_at is null;

-- One question at one place. It is due while `shown` is below the question's version, or fewer pings were given than are wanted.
create table deliveries (
  escalation_id uuid not null references escalations (id) on delete cascade,
  channel text not null,
  address text not null,
  shown integer not null,
  ref text,
  pings_wanted integer not null,
  pings_given integer not null,
  holder text,
  held_until timestamptz,
  not_before timestamptz,
  failures integer not null,
  error text,
  -- Trying again is of no use.
  is_final boolean not null,
  created_at timestamptz not null,
  shown_at timestamptz,
  primary key (escalation_id, channel, address)
);

-- Which process has the work of a channel.
create table channel_leases (
  channel text primary key,
  holder text not null,
  held_until timestamptz not null
);

-- Spans in which nobody is called about some questions, such as those of a machine that is repaired.
create table silences (
  id uuid primary key,
  -- Null: of any. So are the names and the code.
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

-- Programs outside -------------------------------------------------------------------------------------------------------------------

-- The answer to a request of the public API with an Idempotency-Key, so that a repetition after a lost answer acts once and is told
-- the same. `id` is the id of the request for the use case that carries it out: it is kept before the use case begins.
create table kept_answers (
  -- The token. Without a reference: a token that is gone asks nothing any more.
  caller uuid not null,
  key text not null,
  id uuid not null,
  request_sha256 text not null,
  status integer,
  body jsonb,
  at timestamptz not null,
  primary key (caller, key)
);
create index kept_answers_at on kept_answers (at);

-- News for programs outside: that something happened to a question, a worker, a task, a run or a machine, and never what a pane shows.
-- Triggers write it, so that every change is told in its own transaction, whoever makes it.
create table announcements (
  id bigint primary key default next_event_id(),
  at timestamptz not null,
  type text not null,
  -- Null: it is of the whole fleet.
  project_id uuid,
  worker_id uuid,
  -- Who did it; null: Drover itself.
  actor jsonb,
  subject jsonb not null,
  version bigint not null
);
create index announcements_at on announcements (at);

-- Up to this id they may be gone. No row: none is gone.
create table announcement_floor (
  only_one boolean primary key default true check (only_one),
  id bigint not null
);

-- Where programs outside want to be called, and what each is to be told.
create table webhook_endpoints (
  id uuid primary key,
  name text not null unique,
  url text not null,
  -- Types of announcements, such as `escalation` or `worker.status`; empty: all.
  types jsonb not null,
  format text not null check (format in ('standard', 'text')),
  -- Null: of all projects. Without a reference, as in announcements.
  project_id uuid,
  secret text not null,
  -- Signs too until then, so that a receiver can change its secret without losing a call.
  old_secret text,
  old_secret_until timestamptz,
  -- The last announcement that was looked at.
  cursor bigint not null,
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_why text,
  lease_holder uuid,
  lease_until timestamptz,
  created_at timestamptz not null
);

create table webhook_deliveries (
  id uuid primary key,
  endpoint_id uuid not null references webhook_endpoints on delete cascade,
  announcement_id bigint,
  body jsonb not null,
  state text not null check (state in ('waiting', 'delivered', 'dead')),
  tries integer not null,
  next_at timestamptz,
  created_at timestamptz not null,
  unique (endpoint_id, announcement_id)
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_at) where state = 'waiting';
create index webhook_deliveries_newest on webhook_deliveries (endpoint_id, created_at desc);
create index webhook_deliveries_over on webhook_deliveries (created_at) where state <> 'waiting';

create table webhook_attempts (
  delivery_id uuid not null references webhook_deliveries on delete cascade,
  number integer not null,
  at timestamptz not null,
  duration_ms integer not null,
  status integer,
  error text,
  primary key (delivery_id, number)
);

-- An import brings the announcements of what it imports.
create function is_announced() returns boolean language sql stable as $$
  select coalesce(current_setting('drover.importing', true), '') <> 'on'
$$;

create function announce_escalation() returns trigger language plpgsql as $$
declare
  kinds text[] := '{}';
  kind text;
  who jsonb;
begin
  if not is_announced() then return null; end if;
  if tg_op = 'INSERT' then
    kinds := array['escalation.opened'];
  else
    if new.asked > old.asked or (new.status = 'open' and old.status <> 'open') then
      kinds := array['escalation.reopened'];
    elsif new.status <> old.status then
      kinds := array[case new.status when 'acked' then 'escalation.acked' when 'resolved' then 'escalation.resolved' else 'escalation.closed' end];
    end if;
    if new.application = 'applied' and old.application is distinct from 'applied' then
      kinds := kinds || 'escalation.applied'::text;
    end if;
    if kinds = '{}' and new.version <> old.version then kinds := array['escalation.changed']; end if;
  end if;
  foreach kind in array kinds loop
    who := case kind
      when 'escalation.resolved' then new.resolution -> 'actor'
      when 'escalation.acked' then jsonb_build_object('kind', 'person', 'name', new.acked_by)
    end;
    insert into announcements (at, type, project_id, worker_id, actor, subject, version)
    values (new.updated_at, kind, new.project_id, new.worker_id, who,
      jsonb_build_object('kind', 'escalation', 'id', new.id, 'worker', new.worker_name, 'status', new.status,
        'asked', new.asked, 'severity', new.severity), new.version);
  end loop;
  return null;
end $$;

create trigger announce after insert or update on escalations for each row execute function announce_escalation();

create function announce_worker() returns trigger language plpgsql as $$
begin
  if not is_announced() then return null; end if;
  if tg_op = 'DELETE' then
    insert into announcements (at, type, project_id, worker_id, subject, version)
    values (old.updated_at, 'worker.removed', old.project_id, old.id,
      jsonb_build_object('kind', 'worker', 'id', old.id, 'worker', old.name, 'from', old.status), old.version);
    return null;
  end if;
  insert into announcements (at, type, project_id, worker_id, subject, version)
  values (new.updated_at, case tg_op when 'INSERT' then 'worker.added' else 'worker.status' end, new.project_id, new.id,
    jsonb_build_object('kind', 'worker', 'id', new.id, 'worker', new.name, 'status', new.status)
      || case tg_op when 'UPDATE' then jsonb_build_object('from', old.status) else '{}' end, new.version);
  return null;
end $$;

create trigger announce after insert or delete on workers for each row execute function announce_worker();
-- Without `of status`, for a decision may write every column.
create trigger announce_status after update on workers for each row
  when (old.status is distinct from new.status) execute function announce_worker();

create function announce_task() returns trigger language plpgsql as $$
begin
  if not is_announced() then return null; end if;
  insert into announcements (at, type, project_id, worker_id, actor, subject, version)
  values (coalesce(new.ended_at, clock_timestamp()), case tg_op when 'INSERT' then 'task.added' else 'task.status' end,
    new.project_id, new.worker_id, case tg_op when 'INSERT' then new.actor end,
    jsonb_build_object('kind', 'task', 'id', new.id, 'worker', new.worker_name, 'status', new.status), 0);
  return null;
end $$;

create trigger announce after insert on tasks for each row execute function announce_task();
create trigger announce_status after update on tasks for each row
  when (old.status is distinct from new.status) execute function announce_task();

create function announce_run() returns trigger language plpgsql as $$
begin
  if not is_announced() then return null; end if;
  insert into announcements (at, type, project_id, actor, subject, version)
  values (new.updated_at, case tg_op when 'INSERT' then 'run.added' else 'run.status' end, new.project_id,
    case tg_op when 'INSERT' then new.actor end,
    jsonb_build_object('kind', 'run', 'id', new.id, 'flow', new.flow_name, 'status', new.status)
      || case tg_op when 'UPDATE' then jsonb_build_object('from', old.status) else '{}' end, new.seq);
  return null;
end $$;

create trigger announce after insert on runs for each row execute function announce_run();
create trigger announce_status after update on runs for each row
  when (old.status is distinct from new.status) execute function announce_run();

create function announce_machine() returns trigger language plpgsql as $$
declare
  machine machines := coalesce(new, old);
begin
  if not is_announced() then return null; end if;
  insert into announcements (at, type, subject, version)
  values (clock_timestamp(),
    case
      when tg_op = 'INSERT' then 'machine.joined'
      when tg_op = 'DELETE' then 'machine.removed'
      when new.revoked_at is not null and old.revoked_at is null then 'machine.revoked'
      else 'machine.connected'
    end,
    jsonb_build_object('kind', 'machine', 'id', machine.id, 'machine', machine.name), machine.session_epoch);
  return null;
end $$;

create trigger announce after insert or delete on machines for each row execute function announce_machine();
create trigger announce_session after update on machines for each row
  when (old.session_epoch is distinct from new.session_epoch or (new.revoked_at is not null and old.revoked_at is null))
  execute function announce_machine();

-- That a webhook is switched off is news for all.
create function announce_webhook() returns trigger language plpgsql as $$
begin
  if not is_announced() then return null; end if;
  insert into announcements (at, type, project_id, subject, version)
  values (new.disabled_at, 'delivery.failed', new.project_id,
    jsonb_build_object('kind', 'webhook', 'id', new.id, 'webhook', new.name), 0);
  return null;
end $$;

create trigger announce after update on webhook_endpoints for each row
  when (old.disabled_at is null and new.disabled_at is not null) execute function announce_webhook();

-- In passing ------------------------------------------------------------------------------------------------------------------------
-- Unlogged: a crash of the database may lose these rows, and they are made again. They are no part of an export.

-- Parcels on their way from one machine to another. No parcel is the only copy of anything.
create unlogged table parcels (
  -- Who sends it. Without a reference: a parcel of a machine that is gone expires like any other.
  machine_id uuid not null,
  sha256 text not null,
  size_bytes bigint not null,
  -- When its sender last opened it.
  opened_at timestamptz not null,
  primary key (machine_id, sha256)
);

create unlogged table parcel_chunks (
  machine_id uuid not null,
  sha256 text not null,
  number integer not null,
  content bytea not null,
  primary key (machine_id, sha256, number),
  foreign key (machine_id, sha256) references parcels on delete cascade
);
-- Packed already: compressing it again would only take time.
alter table parcel_chunks alter column content set storage external;

-- Readers of a parcel beside the machine that a command tells to take it: the machine that asked for it within a command of its own.
create unlogged table parcel_readers (
  machine_id uuid not null,
  sha256 text not null,
  reader_id uuid not null,
  primary key (machine_id, sha256, reader_id),
  foreign key (machine_id, sha256) references parcels on delete cascade
);

-- Terminals of workers that people are about to open, until both ends have met.
create unlogged table terminals (
  id uuid primary key,
  -- Of the one-time id that the person shows; null once it is used.
  secret_sha256 text unique,
  token_id uuid not null,
  worker_id uuid not null,
  machine_id uuid not null,
  -- Whether the person may type.
  types boolean not null,
  expires_at timestamptz not null,
  -- The replica at which the person waits; null: they have not come yet.
  replica text
);

-- Who caused a change: {"kind": "person" | "worker" | "machine", "id", "name"} or {"kind": "policy"}; null for what came before.

alter table events add column actor jsonb;
alter table tasks add column actor jsonb;
alter table queue_items add column actor jsonb;
alter table checkpoints add column actor jsonb;

-- A token reaches one project, or all; that of a worker reaches this worker alone, and goes with it.

alter table api_tokens
  add column project_id uuid references projects (id) on delete cascade,
  add column worker_id uuid references workers (id) on delete cascade,
  drop constraint api_tokens_role_check,
  drop constraint api_tokens_name_key,
  add constraint api_tokens_role_check check (role in ('worker', 'viewer', 'responder', 'operator', 'admin')),
  add constraint api_tokens_worker check ((role = 'worker') = (worker_id is not null));
create unique index api_tokens_name on api_tokens (name) where worker_id is null;
create unique index api_tokens_worker_id on api_tokens (worker_id) where worker_id is not null;

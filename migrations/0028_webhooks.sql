-- Webhooks: where programs outside want to be called, what each is to be told, and how each attempt ended.

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

create table webhook_attempts (
  delivery_id uuid not null references webhook_deliveries on delete cascade,
  number integer not null,
  at timestamptz not null,
  duration_ms integer not null,
  status integer,
  error text,
  primary key (delivery_id, number)
);

-- That one is switched off is news for all.
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

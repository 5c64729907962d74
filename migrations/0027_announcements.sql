-- What programs outside are told: that something happened to a question, a worker, a task or a machine, and never what a pane shows.
-- Triggers write it, so that every change is told in its own transaction, whoever makes it. Its ids are of the history's sequence:
-- the same lock makes a follower miss nothing (0018).

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

-- Who follows the history reads what comes after an id. Ids are given before their transactions commit, which may be in any order. So
-- each transaction that takes an id holds until its end a lock whose key is the last id given before; below the lowest of those keys
-- everything has committed or never will.

do $$
declare
  last bigint;
  called boolean;
begin
  select last_value, is_called into last, called from events_id_seq;
  alter table events alter column id drop identity;
  create sequence events_id_seq owned by events.id;
  perform setval('events_id_seq', last, called);
end $$;

-- The lock comes before the id: whoever reads the sequence and then the locks knows of every id up to that value.
create function next_event_id() returns bigint language plpgsql as $$
declare
  before bigint;
begin
  select case when is_called then last_value else last_value - 1 end into before from events_id_seq;
  perform pg_advisory_xact_lock_shared(4924123242576216064 + before);
  return nextval('events_id_seq');
end $$;

alter table events alter column id set default next_event_id();

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

-- Who ordered what: one row for each change, in chains, one for each worker and one for the fleet. Each row's hash is over the
-- former one's, so that a row that is changed, removed, inserted or moved shows. `body` is text, for its bytes are hashed.

create table audit (
  chain text not null,
  seq bigint not null,
  at timestamptz not null,
  actor text not null,
  body text not null,
  -- SHA-256, as hexadecimal digits, of: the former hash of the chain, its name, the number and the body, with a space between.
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

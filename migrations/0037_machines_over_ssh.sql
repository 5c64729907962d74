-- Machines over SSH: nothing of Drover's is installed on them, and a gateway speaks for them.

-- A gateway joins as machines do, by a token that was made for a gateway. It has no panes.
alter table machines add column is_gateway boolean not null default false;
alter table join_tokens add column for_gateway boolean not null default false;

-- How a machine is reached, the keys by which it is known, the gateway that serves it under a lease, and how it is. Null: its agent runs on it.
alter table machines add column ssh jsonb;

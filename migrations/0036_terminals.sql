-- Terminals of workers that people are about to open, until both ends have met. Unlogged: a crash of the database may lose them, and
-- they are asked for again. They are no part of an export.

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

-- Where people reach a machine by ssh: user@host, host or host:port (null: nobody has said).
alter table machines add column address text;

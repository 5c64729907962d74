-- What a request of the public API with an Idempotency-Key was answered, so that a repetition after a lost answer acts once and is told
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

-- Tests whether people are reached at a place: a bot shows each once, and says what became of it.
create table place_tests (
  id uuid primary key,
  channel text not null,
  address text not null,
  -- Who tries.
  tried_by text not null,
  created_at timestamptz not null,
  -- When a bot took it; null: none has.
  given_at timestamptz,
  outcome text check (outcome in ('shown', 'failed')),
  error text
);
create index place_tests_waiting on place_tests (channel) where given_at is null;

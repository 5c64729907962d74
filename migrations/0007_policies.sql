-- Every decision can be taken again: what it followed from, and the policy that it was taken under, are kept.

-- Whole policies, by the digest of what they say. A decision names its own, so none is ever changed.
create table policies (
  version text primary key,
  document jsonb not null,
  created_at timestamptz not null
);

alter table events
  add column policy text,
  -- What the decision was given beside worker, event and policy; null in rows that are older than this column.
  add column facts jsonb,
  -- The digest of the whole decision.
  add column outcome text,
  -- The policy's row before the decision, now and then: from here history can be decided again.
  add column state_before jsonb,
  -- Kept for that alone, such as a screen that changed nothing but the last screen; nobody reads it as history.
  add column quiet boolean not null default false;
create index events_told on events (worker_id, id desc) where not quiet;
create index events_before on events (worker_id, id) where state_before is not null;
